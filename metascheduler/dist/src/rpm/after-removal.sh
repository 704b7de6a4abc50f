# Data, settings that were changed and the account stay, as is usual for an RPM.
if [ -d /run/systemd/system ]; then systemctl daemon-reload || :; fi
