mkdir -p -- "$results/$key.bin"
cat > "$results/$key.bin/condor_chirp" <<'END'
#!/bin/sh
[ "$1 $2 $3" = 'set_job_attr ProvisionerState 2' ] && : > "${0%.bin/condor_chirp}.provisioned"
exit 0
END
chmod +x "$results/$key.bin/condor_chirp"
PATH=$results/$key.bin:$PATH
export PATH
