#!/bin/sh
# Builds gsoap_client from the WSDL of a running server. Needs Debian's gsoap, libgsoap-dev, libssl-dev and g++.
# Usage: gsoap_build.sh BASE_URL FOLDER
set -eu
base=$1
source=$(cd "$(dirname "$0")" && pwd)/gsoap_client.cpp
mkdir -p "$2"
cd "$2"
# Names for the namespaces that the client speaks of; gSOAP numbers the others.
cat >typemap.dat <<'END'
wsag = "http://schemas.ggf.org/graap/2007/03/ws-agreement"
neg = "http://schemas.ogf.org/graap/2009/11/ws-agreement-negotiation"
rp = "http://docs.oasis-open.org/wsrf/rp-2"
bf = "http://docs.oasis-open.org/wsrf/bf-2"
wsa5 = <http://www.w3.org/2005/08/addressing>
END
wsdl2h -O4 -d -L -t typemap.dat -o wsag.h "$base/services/AgreementFactory?wsdl" 2>generated.log
soapcpp2 -C -x -w -L -I/usr/share/gsoap/import wsag.h >>generated.log 2>&1
mv ./*.nsmap wsag.nsmap
g++ -std=c++17 -w -DWITH_OPENSSL -I. "$source" soapC.cpp soapClient.cpp -o gsoap_client -lgsoapssl++ -lssl -lcrypto
