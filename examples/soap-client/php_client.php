<?php
// A WS-Agreement client in PHP: its own SoapClient, which knows nothing of the service but its WSDL.
//
// Usage: [ACCEPTANCE=URL] php php_client.php BASE_URL [soap11|soap12 [CA_FILE]]
//
// Fetches the template, offers two nodes at two sites that it shows, reads and queries the agreement, makes a pending one, negotiates one and
// replaces it by a larger one, ends all, and prints one line for each step. ACCEPTANCE is called about the pending offer.

const WSAG = 'http://schemas.ggf.org/graap/2007/03/ws-agreement';
const NEGOTIATION = 'http://schemas.ogf.org/graap/2009/11/ws-agreement-negotiation';
const XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116';

[, $base] = $argv;
$version = ($argv[2] ?? 'soap12') === 'soap12' ? SOAP_1_2 : SOAP_1_1;
$trust = isset($argv[3]) ? ['ssl' => ['cafile' => $argv[3]]] : [];

// At an address, its one service. PHP takes the first port, so the version is said.
function connect(string $address): SoapClient
{
    global $version, $trust;
    return new SoapClient($address . '?wsdl', [
        'soap_version' => $version, 'location' => $address, 'cache_wsdl' => WSDL_CACHE_NONE, 'trace' => true,
        'stream_context' => stream_context_create($trust),
    ]);
}

// What PHP keeps of an answer with elements of any name is poor, so the message itself is read.
function find(SoapClient $client, string $tag): array
{
    preg_match_all("/<(?:[\\w.-]+:)?$tag(?:\\s[^>]*)?>([^<]*)</", $client->__getLastResponse(), $found);
    return $found[1];
}

function property(SoapClient $client, string $name, string $tag): array
{
    $client->GetResourceProperty("wsag:$name");
    return find($client, $tag);
}

function term(string $name, string $content): string
{
    return "<w:ServiceDescriptionTerm w:Name=\"$name\" w:ServiceName=\"META-JOB\">$content</w:ServiceDescriptionTerm>";
}

// What offers of all kinds have in common. Elements of other namespaces are written out.
function content(array $sites, int $nodes, string $times = ''): string
{
    global $template, $id;
    $terms = '';
    foreach ($sites as $site) {
        $terms .= term("RESOURCE_$site", '<j:JobDefinition xmlns:j="http://schemas.ggf.org/jsdl/2005/11/jsdl"><j:JobDescription><j:Resources>'
            . "<j:CandidateHosts><j:HostName>$site</j:HostName></j:CandidateHosts>"
            . "<j:TotalResourceCount><j:Exact>$nodes</j:Exact></j:TotalResourceCount></j:Resources></j:JobDescription></j:JobDefinition>");
    }
    $terms .= term('TIME_CONSTRAINT', '<t:TimeConstraint xmlns:t="http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions">'
        . "$times<t:Duration>30</t:Duration></t:TimeConstraint>");
    return "<w:Name>$template</w:Name><w:Context><w:ServiceProvider>AgreementResponder</w:ServiceProvider><w:TemplateId>$id</w:TemplateId>"
        . "<w:TemplateName>$template</w:TemplateName></w:Context><w:Terms><w:All>$terms</w:All></w:Terms>";
}

function offer(string $content): SoapVar
{
    $id = 'php-' . bin2hex(random_bytes(8));
    return new SoapVar('<w:AgreementOffer xmlns:w="' . WSAG . "\" w:AgreementId=\"$id\">$content</w:AgreementOffer>", XSD_ANYXML);
}

function context(string $parent, string $state): string
{
    return "<n:NegotiationOfferContext><n:CounterOfferTo>$parent</n:CounterOfferTo><n:Creator>NegotiationInitiator</n:Creator>"
        . "<n:State><n:$state/></n:State></n:NegotiationOfferContext>";
}

// The address in an endpoint reference that was answered.
function address(SoapClient $client): string
{
    return find($client, 'Address')[0];
}

function state(SoapClient $agreement): string
{
    return property($agreement, 'AgreementState', 'State')[0];
}

function initiate(array $type): string
{
    global $base;
    $factory = connect("$base/services/NegotiationFactory");
    $factory->InitiateNegotiation(['NegotiationContext' => ['NegotiationType' => $type, 'AgreementResponder' => 'NegotiationResponder']]);
    return address($factory);
}

// The counter offer's id, its state, and its time as it was written.
function negotiate(SoapClient $negotiation, string $parent, string $wanted, int $nodes): array
{
    global $sites;
    $negotiation->Negotiate(['NegotiationOffer' => new SoapVar('<n:NegotiationOffer xmlns:n="' . NEGOTIATION . '" xmlns:w="' . WSAG . '">'
        . content($sites, $nodes) . context($parent, $wanted) . '<n:NegotiationConstraints/></n:NegotiationOffer>', XSD_ANYXML)]);
    preg_match('/OfferId="([^"]*)".*?State><(?:[\w.-]+:)?(\w+)/s', $negotiation->__getLastResponse(), $found);
    [$start, $end] = [find($negotiation, 'StartTime')[0], find($negotiation, 'EndTime')[0]];
    return [$found[1], $found[2], "<t:StartTime>$start</t:StartTime><t:EndTime>$end</t:EndTime>"];
}

// An agreement that is the counter offer.
function create_from(array $counter, int $nodes, string $extension, array $references = []): SoapClient
{
    global $factory, $sites;
    $written = '';
    foreach ($references as $name => $address) {
        $written .= "<n:$name><a:Address xmlns:a=\"http://www.w3.org/2005/08/addressing\">$address</a:Address></n:$name>";
    }
    $factory->CreateAgreement(['AgreementOffer' => offer(content($sites, $nodes, $counter[2])), 'any' =>
        "<n:$extension xmlns:n=\"" . NEGOTIATION . "\">$written" . context($counter[0], 'Acceptable') . "</n:$extension>"]);
    return connect(address($factory));
}

$factory = connect("$base/services/AgreementFactory");
[$template] = property($factory, 'Template', 'TemplateName');
[$id] = find($factory, 'TemplateId');
echo "template $template $id\n";
preg_match('/Name="Site".*?Item>/s', $factory->__getLastResponse(), $item);
preg_match_all('/enumeration value="([^"]+)"/', $item[0], $sites);
$sites = array_slice($sites[1], 0, 2);

try {
    $factory->CreateAgreement(['AgreementOffer' => offer(content(['mars'], 2))]);
    echo "not refused\n";
} catch (SoapFault $fault) {
    echo 'refused ', find($factory, 'ErrorCode')[0], "\n";
}
$factory->CreateAgreement(['AgreementOffer' => offer(content($sites, 2))]);
$agreement = connect($address = address($factory));
echo "agreement $address\n", 'state ', state($agreement), "\n";
$agreement->QueryResourceProperties(['QueryExpression' => ['Dialect' => XPATH, 'any' => "count(//*[local-name()='ServiceDescriptionTerm'])"]]);
echo 'terms ', find($agreement, 'Value')[0], "\n";

$acceptance = getenv('ACCEPTANCE') ? ['AgreementAcceptanceEPR' => ['Address' => getenv('ACCEPTANCE')]] : [];
$factory->CreatePendingAgreement($acceptance + ['AgreementOffer' => offer(content($sites, 2))]);
$pending = connect(address($factory));
for ($i = 0; $i < 300 && state($pending) === 'Pending'; $i++) {
    usleep(100000);
}
echo 'pending ', state($pending), "\n";
$pending->Terminate([]);

$negotiation = connect(initiate(['Negotiation' => new stdClass()]));
$advice = negotiate($negotiation, "$id-$template", 'Advisory', 2);
$held = negotiate($negotiation, $advice[0], 'Solicited', 2);
echo "counter offer $advice[1]\ncounter offer $held[1]\n";
$negotiated = create_from($held, 2, 'NegotiationExtension');
$replaced = address($factory);
echo 'negotiated ', state($negotiated), "\n";
$negotiation->Terminate([]);

$again = initiate(['Renegotiation' => ['ResponderAgreementEPR' => ['Address' => $replaced]]]);
$more = negotiate(connect($again), "$id-$template", 'Solicited', 4);
echo "counter offer $more[1]\n";
$larger = create_from($more, 4, 'RenegotiationExtension',
    ['ResponderNegotiationEPR' => $again, 'ResponderAgreementEPR' => $replaced]);
echo 'renegotiated ', state($larger), "\n", 'replaced ', state($negotiated), "\n";
$larger->Terminate([]);

$agreement->Terminate([]);
echo 'state ', state($agreement), "\n";
try {
    $agreement->Terminate([]);
    echo "no fault\n";
} catch (SoapFault $fault) {
    echo 'fault ', find($agreement, 'ErrorCode')[0], "\n";
}
