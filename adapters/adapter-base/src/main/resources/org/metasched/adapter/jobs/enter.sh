umask 077;
home=$(getent passwd "$(id -un)" | cut -d: -f6);
cd "${home:-$HOME}" && mkdir -p -- "$1" && cd -- "$1" || exit 73;
