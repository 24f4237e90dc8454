"""The pages that tests open in a browser, and scripts that run in them."""

PAGES = ["demo", "500 checks", "comparison", "gallery", "judges"]
CHOOSE = (
    "(() => { const f = document.querySelector(`${arguments[0]} form.filters`);"
    "f.elements[arguments[1]].value = arguments[2];"
    "f.dispatchEvent(new Event('input')) })()"
)
OPEN_FOLDS = "document.querySelectorAll('.fold').forEach(fold => { fold.open = true })"


def run(driver, script, *arguments):
    return driver.execute_script(f"return {script}", *arguments)


def shown_checks(driver):
    return run(
        driver, "[...document.querySelectorAll('.checks > tbody')].filter(b => !b.hidden).length"
    )
