#!/usr/bin/env node
// A WS-Agreement client in JavaScript. It knows nothing of the service but its WSDL.
//
// Usage: [ACCEPTANCE=URL] node_client.js BASE_URL soap|strong-soap [soap11|soap12 [CERTIFICATE_FILE KEY_FILE]]
//
// Fetches the template, offers two nodes at two sites that it shows, reads and queries the agreement, makes a pending one, negotiates
// one and replaces it by a larger one, ends all, and prints one line for each step. Needs one of the two packages: npm install soap, or
// npm install strong-soap. With a certificate, soap signs each message; NODE_EXTRA_CA_CERTS names the file of the server's authority.
// ACCEPTANCE is called about the pending offer.
'use strict';

const crypto = require('crypto');

const [base, library, version = 'soap12', certificate, key] = process.argv.slice(2);
const WSAG = 'http://schemas.ggf.org/graap/2007/03/ws-agreement';
const NEGOTIATION = 'http://schemas.ogf.org/graap/2009/11/ws-agreement-negotiation';
const WSA = 'http://www.w3.org/2005/08/addressing';
const JSDL = 'http://schemas.ggf.org/jsdl/2005/11/jsdl';
const SCHEDULING = 'http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions';
const soap12 = version === 'soap12';

const loaded = require(library);
const soap = library === 'soap' ? loaded : loaded.soap;

const addressing = (address, action) => Object.entries({ To: address, Action: action, MessageID: 'urn:uuid:' + crypto.randomUUID() })
  .map(([name, value]) => `<wsa:${name} xmlns:wsa="${WSA}">${value}</wsa:${name}>`).join('');

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

const query = expression => ({ QueryExpression: {
  [attributes]: { Dialect: 'http://www.w3.org/TR/1999/REC-xpath-19991116' }, $value: expression } });

const find = (envelope, tag) =>
  [...envelope.matchAll(new RegExp(`<(?:[\\w.-]+:)?${tag}(?:\\s[^>]*)?>([^<]*)<`, 'g'))].map(found => found[1]);

function sitesOf(template) {
  const item = template.match(/<(?:\w+:)?Item [^>]*Name="Site"[\s\S]*?<\/(?:\w+:)?Item>/) || [''];
  return [...item[0].matchAll(/enumeration value="([^"]+)"/g)].map(found => found[1]).slice(0, 2);
}

const [attributes, at] = library === 'soap' ? ['attributes', 'wsag:'] : ['$attributes', ''];

// Content of another namespace: soap wants prefixes, strong-soap a default namespace.
function foreign(namespace, element, content) {
  const prefixed = tree => typeof tree !== 'object' ? tree
    : Object.fromEntries(Object.entries(tree).map(([name, value]) => [/[:$]|^attributes/.test(name) ? name : 'x:' + name, prefixed(value)]));
  const inside = typeof content === 'object' ? content : { $value: content };
  return library === 'soap'
    ? { ['x:' + element]: { attributes: { 'xmlns:x': namespace }, ...prefixed(inside) } }
    : { [element]: { $attributes: { xmlns: namespace }, ...inside } };
}

// What offers of all kinds have in common, as an object: soap writes attributes as they stand, strong-soap finds their namespace in the schema.
function content(template, sites, nodes, times = {}) {
  const named = name => ({ [attributes]: { [at + 'Name']: name, [at + 'ServiceName']: 'META-JOB' } });
  const parts = sites.map(site => ({
    ...named('RESOURCE_' + site),
    ...foreign(JSDL, 'JobDefinition', {
      JobDescription: { Resources: { CandidateHosts: { HostName: site }, TotalResourceCount: { Exact: nodes } } },
    }),
  }));
  parts.push({
    ...named('TIME_CONSTRAINT'),
    ...foreign(SCHEDULING, 'TimeConstraint', { ...times, Duration: 30 }),
  });
  return {
    Name: find(template, 'TemplateName')[0],
    Context: {
      ServiceProvider: find(template, 'ServiceProvider')[0],
      TemplateId: find(template, 'TemplateId')[0],
      TemplateName: find(template, 'TemplateName')[0],
    },
    Terms: { All: { ServiceDescriptionTerm: parts } },
  };
}

const fresh = offered => ({ [attributes]: { [at + 'AgreementId']: library + '-' + crypto.randomUUID() }, ...offered });

// strong-soap wants the element of the message where it is not named as the operation, soap what is in it.
const message = (element, content) => (library === 'soap' ? content : { [element]: content });

const code = error => find(String(error.body || error.response && error.response.body || error.message), 'ErrorCode')[0];

const state = async agreement => find((await property(agreement, 'AgreementState'))[1], 'State')[0];

const offerContext = (parent, state) => ({ CounterOfferTo: parent, Creator: 'NegotiationInitiator', State: { [state]: {} } });

async function agreementAt([, created]) {
  const address = find(created, 'Address')[0];
  return { ...await connect(address, 'Agreement'), address };
}

const terminate = ({ port }) => call({ port }, 'Terminate', message('TerminateInput', {}));

async function agree(factory, template) {
  const sites = sitesOf(template);
  const create = (offered, more = {}) =>
    call(factory, 'CreateAgreement', message('CreateAgreementInput', { AgreementOffer: fresh(offered), ...more }));
  await create(content(template, ['mars'], 2)).then(
    () => console.log('not refused'),
    error => console.log('refused', code(error)));
  const first = await agreementAt(await create(content(template, sites, 2)));
  console.log('agreement', first.address);
  console.log('state', await state(first));
  const [, found] = await call(first, 'QueryResourceProperties', query("count(//*[local-name()='ServiceDescriptionTerm'])"));
  console.log('terms', find(found, 'Value')[0]);

  const acceptance = process.env.ACCEPTANCE ? { AgreementAcceptanceEPR: { Address: process.env.ACCEPTANCE } } : {};
  const pending = await agreementAt(await call(factory, 'CreatePendingAgreement', message('CreatePendingAgreementInput',
    { ...acceptance, AgreementOffer: fresh(content(template, sites, 2)) })));
  for (let i = 0; i < 300 && await state(pending) === 'Pending'; i++) await new Promise(soon => setTimeout(soon, 100));
  console.log('pending', await state(pending));
  await terminate(pending);
  return { first, create };
}

async function negotiate(template, create) {
  const initiator = await connect(base + '/services/NegotiationFactory', 'NegotiationFactory');
  const sites = sitesOf(template);
  const root = find(template, 'TemplateId')[0] + '-' + find(template, 'TemplateName')[0];
  const initiate = async kind => {
    const [, made] = await call(initiator, 'InitiateNegotiation', message('InitiateNegotiationInput',
      { NegotiationContext: { NegotiationType: kind, AgreementResponder: 'NegotiationResponder' } }));
    const address = find(made, 'Address')[0];
    return { ...await connect(address, 'Negotiation'), address };
  };
  // The counter offer's id, its state and its time.
  const counterOffer = async (negotiation, parent, wanted, nodes) => {
    const [, answer] = await call(negotiation, 'Negotiate', message('NegotiateInput', { NegotiationOffer: {
      ...content(template, sites, nodes), NegotiationOfferContext: offerContext(parent, wanted), NegotiationConstraints: {},
    } }));
    return {
      id: answer.match(/OfferId="([^"]*)"/)[1],
      state: answer.match(/State><(?:\w+[-\w]*:)?(\w+)/)[1],
      times: { StartTime: find(answer, 'StartTime')[0], EndTime: find(answer, 'EndTime')[0] },
    };
  };
  const createFrom = async (counter, nodes, extension, references) => agreementAt(await create(content(template, sites, nodes, counter.times),
    foreign(NEGOTIATION, extension, { ...references, NegotiationOfferContext: offerContext(counter.id, 'Acceptable') })));

  const negotiation = await initiate({ Negotiation: {} });
  const advice = await counterOffer(negotiation, root, 'Advisory', 2);
  console.log('counter offer', advice.state);
  const held = await counterOffer(negotiation, advice.id, 'Solicited', 2);
  console.log('counter offer', held.state);
  const negotiated = await createFrom(held, 2, 'NegotiationExtension', {});
  console.log('negotiated', await state(negotiated));
  await terminate(negotiation);

  const again = await initiate({ Renegotiation: { ResponderAgreementEPR: { Address: negotiated.address } } });
  const more = await counterOffer(again, root, 'Solicited', 4);
  console.log('counter offer', more.state);
  const larger = await createFrom(more, 4, 'RenegotiationExtension', {
    ResponderNegotiationEPR: foreign(WSA, 'Address', again.address),
    ResponderAgreementEPR: foreign(WSA, 'Address', negotiated.address),
  });
  console.log('renegotiated', await state(larger));
  console.log('replaced', await state(negotiated));
  await terminate(larger);
}

async function main() {
  const factory = await connect(base + '/services/AgreementFactory', 'AgreementFactory');
  const [, template] = await property(factory, 'Template');
  console.log('template', find(template, 'TemplateName')[0], find(template, 'TemplateId')[0]);

  const { first, create } = await agree(factory, template);
  await negotiate(template, create);
  await terminate(first);
  console.log('state', await state(first));
  await terminate(first).then(
    () => console.log('no fault'),
    error => console.log('fault', code(error)));
}

main().catch(error => {
  console.error(error.message || error);
  process.exit(1);
});
