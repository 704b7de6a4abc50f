"""How zeep proves who it is: `session` by a certificate over TLS, `Signed` by a signature of each message.

zeep's own BinarySignature signs with SHA-1 unless told, adds no Timestamp, and leaves the headers of addressing out.
"""
import datetime

import requests
import xmlsec
from lxml import etree
from zeep import ns
from zeep.wsse import signature, utils

WSA = "http://www.w3.org/2005/08/addressing"
PROFILE = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-x509-token-profile-1.0#X509v3"
BASE64 = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary"


def session(authorities, certificate=None, key=None):
    made = requests.Session()
    made.trust_env = False
    made.verify = authorities
    made.cert = (certificate, key) if certificate else None
    return made


class Signed:
    """Signs the body, every header and a fresh Timestamp. Answers are not signed: TLS tells whose they are."""

    def __init__(self, certificate, key):
        self.key = xmlsec.Key.from_file(key, xmlsec.KeyFormat.PEM)
        with open(certificate, encoding="ascii") as pem:
            self.certificate = "".join(line.strip() for line in pem if not line.startswith("-"))

    def apply(self, envelope, headers):
        header = envelope[0]
        parts = [part for part in header if etree.QName(part).localname != "Security"] + [envelope[-1]]
        security = utils.get_security_header(envelope)
        parts.append(self.timestamp(security))
        token = etree.SubElement(security, "{%s}BinarySecurityToken" % ns.WSSE, ValueType=PROFILE, EncodingType=BASE64)
        token.text = self.certificate

        sign = xmlsec.template.create(envelope, xmlsec.Transform.EXCL_C14N, xmlsec.Transform.RSA_SHA256)
        security.append(sign)
        info = xmlsec.template.ensure_key_info(sign)
        reference = etree.SubElement(info, "{%s}SecurityTokenReference" % ns.WSSE)
        etree.SubElement(reference, "{%s}Reference" % ns.WSSE, URI="#" + utils.ensure_id(token), ValueType=PROFILE)
        context = xmlsec.SignatureContext()
        context.key = self.key
        for part in parts:
            signature._sign_node(context, sign, part, xmlsec.Transform.SHA256)
        context.sign(sign)
        return envelope, headers

    @staticmethod
    def timestamp(security):
        now = datetime.datetime.now(datetime.timezone.utc)
        stamp = etree.SubElement(security, "{%s}Timestamp" % ns.WSU)
        for name, when in (("Created", now), ("Expires", now + datetime.timedelta(minutes=5))):
            etree.SubElement(stamp, "{%s}%s" % (ns.WSU, name)).text = when.strftime("%Y-%m-%dT%H:%M:%S.000Z")
        return stamp

    def verify(self, envelope):
        return envelope
