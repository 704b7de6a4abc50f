<?php
// A WS-Agreement client in PHP: its own SoapClient, which knows nothing of the service but its WSDL.
//
// Usage: php php_client.php BASE_URL [soap11|soap12 [CA_FILE]]
//
// Fetches the template, offers two nodes at two sites that it shows, reads the state of the agreement, ends it, and prints one line for each step.

const WSAG = 'http://schemas.ggf.org/graap/2007/03/ws-agreement';

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

$factory = connect("$base/services/AgreementFactory");
[$template] = property($factory, 'Template', 'TemplateName');
[$id] = find($factory, 'TemplateId');
echo "template $template $id\n";

$terms = '';
preg_match('/Name="Site".*?Item>/s', $factory->__getLastResponse(), $item);
preg_match_all('/enumeration value="([^"]+)"/', $item[0], $sites);
foreach (array_slice($sites[1], 0, 2) as $site) {
    $terms .= term("RESOURCE_$site", '<j:JobDefinition xmlns:j="http://schemas.ggf.org/jsdl/2005/11/jsdl"><j:JobDescription><j:Resources>'
        . "<j:CandidateHosts><j:HostName>$site</j:HostName></j:CandidateHosts>"
        . '<j:TotalResourceCount><j:Exact>2</j:Exact></j:TotalResourceCount></j:Resources></j:JobDescription></j:JobDefinition>');
}
$terms .= term('TIME_CONSTRAINT', '<t:TimeConstraint xmlns:t="http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions">'
    . '<t:Duration>30</t:Duration></t:TimeConstraint>');
$offer = '<w:AgreementOffer xmlns:w="' . WSAG . '" w:AgreementId="php-' . uniqid() . "\"><w:Name>$template</w:Name><w:Context>"
    . "<w:ServiceProvider>AgreementResponder</w:ServiceProvider><w:TemplateId>$id</w:TemplateId><w:TemplateName>$template</w:TemplateName>"
    . "</w:Context><w:Terms><w:All>$terms</w:All></w:Terms></w:AgreementOffer>";
$factory->CreateAgreement(['AgreementOffer' => new SoapVar($offer, XSD_ANYXML)]);
[$address] = find($factory, 'Address');
echo "agreement $address\n";

$agreement = connect($address);
echo 'state ', property($agreement, 'AgreementState', 'State')[0], "\n";
$agreement->Terminate([]);
echo 'state ', property($agreement, 'AgreementState', 'State')[0], "\n";
try {
    $agreement->Terminate([]);
    echo "no fault\n";
} catch (SoapFault $fault) {
    echo 'fault ', find($agreement, 'ErrorCode')[0], "\n";
}
