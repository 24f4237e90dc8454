"""Run the command as `python -m shakeproof`."""

import sys

from shakeproof.cli import main

sys.exit(main())
