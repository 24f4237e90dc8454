"""Run the command as `python -m shakeproof`."""

import sys

from shakeproof.cli.main import main

sys.exit(main())
