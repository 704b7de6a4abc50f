#!/usr/bin/env node
// A WS-Agreement client in JavaScript. It knows nothing of the service but its WSDL.
//
// Usage: node_client.js BASE_URL soap|strong-soap [soap11|soap12 [CERTIFICATE_FILE KEY_FILE]]
//
// Fetches the template, offers two nodes at every site that it shows, reads the state of the agreement, ends it, and prints one
// line for each step. Needs one of the two packages: npm install soap, or npm install strong-soap. With a certificate, soap signs each
// message; NODE_EXTRA_CA_CERTS names the file of the server's authority.
'use strict';

const crypto = require('crypto');

const [base, library, version = 'soap12', certificate, key] = process.argv.slice(2);
const WSAG = 'http://schemas.ggf.org/graap/2007/03/ws-agreement';
const JSDL = 'http://schemas.ggf.org/jsdl/2005/11/jsdl';
const SCHEDULING = 'http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions';
const soap12 = version === 'soap12';

const loaded = require(library);
const soap = library === 'soap' ? loaded : loaded.soap;

const addressing = (address, action) => Object.entries({ To: address, Action: action, MessageID: 'urn:uuid:' + crypto.randomUUID() })
  .map(([name, value]) => `<wsa:${name} xmlns:wsa="http://www.w3.org/2005/08/addressing">${value}</wsa:${name}>`).join('');

// A signature of the body, of the headers of addressing and of a fresh Timestamp. soap's own choice of transforms would be an enveloped signature.
const signing = () => {
  const files = require('fs');
  return new soap.WSSecurityCert(files.readFileSync(key, 'utf8'), files.readFileSync(certificate, 'utf8'), '', {
    hasTimeStamp: true,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    signatureTransformations: ['http://www.w3.org/2001/10/xml-exc-c14n#'],
    additionalReferences: ['wsa:To', 'wsa:Action', 'wsa:MessageID'],
    signerOptions: { idMode: 'wssecurity' },
  });
};

// Both libraries offer every port of the service; the binding's name says which SOAP version it speaks.
function connect(address, service) {
  return new Promise((done, failed) => {
    soap.createClient(address + '?wsdl', { forceSoap12Headers: soap12 }, (error, client) => {
      if (error) return failed(error);
      if (certificate) {
        client.addSoapHeader((method, location, action) => addressing(address, action));
        client.setSecurity(signing());
      }
      const port = client[service + 'Service'][service + (soap12 ? 'Soap12' : 'Soap11') + 'Port'];
      done({ client, port });
    });
  });
}

// The answer as text and as the library's object: [object, envelope].
function call({ port }, operation, body) {
  return new Promise((done, failed) =>
    port[operation](body, (error, result, answered) => (error ? failed(error) : done([result, String(answered)]))));
}

const property = (agreement, name) =>
  call(agreement, 'GetResourceProperty', library === 'soap'
    ? { _xml: `<rp:GetResourceProperty xmlns:rp="http://docs.oasis-open.org/wsrf/rp-2" xmlns:w="${WSAG}">w:${name}</rp:GetResourceProperty>` }
    : { $value: 'wsag:' + name });

const find = (envelope, tag) =>
  [...envelope.matchAll(new RegExp(`<(?:[\\w.-]+:)?${tag}(?:\\s[^>]*)?>([^<]*)<`, 'g'))].map(found => found[1]);

function sitesOf(template) {
  const item = template.match(/<(?:\w+:)?Item [^>]*Name="Site"[\s\S]*?<\/(?:\w+:)?Item>/) || [''];
  return [...item[0].matchAll(/enumeration value="([^"]+)"/g)].map(found => found[1]).slice(0, 2);
}

// Content of another namespace: soap wants prefixes, strong-soap a default namespace.
function foreign(namespace, element, content) {
  const prefixed = tree => typeof tree !== 'object' ? tree
    : Object.fromEntries(Object.entries(tree).map(([name, value]) => ['x:' + name, prefixed(value)]));
  return library === 'soap'
    ? { ['x:' + element]: { attributes: { 'xmlns:x': namespace }, ...prefixed(content) } }
    : { [element]: { $attributes: { xmlns: namespace }, ...content } };
}

// The offer as an object: soap writes attributes as they stand, strong-soap finds their namespace in the schema.
function offer(template, id) {
  const [attributes, at] = library === 'soap' ? ['attributes', 'wsag:'] : ['$attributes', ''];
  const named = name => ({ [attributes]: { [at + 'Name']: name, [at + 'ServiceName']: 'META-JOB' } });
  const parts = sitesOf(template).map(site => ({
    ...named('RESOURCE_' + site),
    ...foreign(JSDL, 'JobDefinition', {
      JobDescription: { Resources: { CandidateHosts: { HostName: site }, TotalResourceCount: { Exact: 2 } } },
    }),
  }));
  parts.push({
    ...named('TIME_CONSTRAINT'),
    ...foreign(SCHEDULING, 'TimeConstraint', { Duration: 30 }),
  });
  const input = {
    AgreementOffer: {
      [attributes]: { [at + 'AgreementId']: id },
      Name: find(template, 'TemplateName')[0],
      Context: {
        ServiceProvider: find(template, 'ServiceProvider')[0],
        TemplateId: find(template, 'TemplateId')[0],
        TemplateName: find(template, 'TemplateName')[0],
      },
      Terms: { All: { ServiceDescriptionTerm: parts } },
    },
  };
  return library === 'soap' ? input : { CreateAgreementInput: input };
}

async function main() {
  const factory = await connect(base + '/services/AgreementFactory', 'AgreementFactory');
  const [, template] = await property(factory, 'Template');
  console.log('template', find(template, 'TemplateName')[0], find(template, 'TemplateId')[0]);

  const [, created] = await call(factory, 'CreateAgreement', offer(template, library + '-' + process.pid + '-' + Date.now()));
  const address = find(created, 'Address')[0];
  console.log('agreement', address);

  const agreement = await connect(address, 'Agreement');
  console.log('state', find((await property(agreement, 'AgreementState'))[1], 'State')[0]);
  const terminate = () => call(agreement, 'Terminate', library === 'soap' ? {} : { TerminateInput: {} });
  await terminate();
  console.log('state', find((await property(agreement, 'AgreementState'))[1], 'State')[0]);
  await terminate().then(
    () => console.log('no fault'),
    error => console.log('fault', find(String(error.body || error.response && error.response.body || error.message), 'ErrorCode')[0]));
}

main().catch(error => {
  console.error(error.message || error);
  process.exit(1);
});
