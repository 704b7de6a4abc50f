#!/bin/sh
# A step of a group at a site: events are kept on the site's disks, what it prints goes back to the user.
set -eu
step=$1 group=$2 events=$3
case $step in
    generate) seq "$events" >"$SiteStorage/$group.events" ;;
    simulate) sed 's/$/ simulated/' "$SiteStorage/$group.events" >"$SiteStorage/$group.simulated" ;;
esac
echo "$step $group: $(wc -l <"$SiteStorage/$group.events") events at $SiteName"
