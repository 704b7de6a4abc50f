#!/usr/bin/perl
# A WS-Agreement client in Perl: SOAP::Lite, which takes addresses and actions from the WSDL. It speaks SOAP 1.1.
#
# Usage: [ACCEPTANCE=URL] perl perl_client.pl BASE_URL [soap11 [CA_FILE]]
#
# Fetches the template, offers two nodes at two sites that it shows, reads and queries the agreement, makes a pending one, negotiates one and
# replaces it by a larger one, ends all, and prints one line for each step. ACCEPTANCE is called about the pending offer.
use strict;
use warnings;
use SOAP::Lite;

my $WSAG = 'http://schemas.ggf.org/graap/2007/03/ws-agreement';
my $NEGOTIATION = 'http://schemas.ogf.org/graap/2009/11/ws-agreement-negotiation';
my $WSA = 'http://www.w3.org/2005/08/addressing';
my $XPATH = 'http://www.w3.org/TR/1999/REC-xpath-19991116';
my $RP = 'http://docs.oasis-open.org/wsrf/rp-2';
my ($base, undef, $authority) = @ARGV;
$ENV{PERL_LWP_SSL_CA_FILE} = $authority if $authority;

# The operations of the one service that the WSDL at an address has.
sub connected {
    my $schema = SOAP::Schema->new(schema_url => "$_[0]?wsdl");
    $schema->parse;
    my ($operations) = values %{ $schema->services };
    return $operations;
}

# SOAP::Lite knows no element but the operation's name in a document style: the message is written out, the answer stays text.
sub call {
    my ($operations, $name, $namespace, $element, $content) = @_;
    my $operation = $operations->{$name} or die "The WSDL has no operation $name\n";
    my $action = $operation->{soapaction}->value;
    return SOAP::Lite->proxy($operation->{endpoint}->value)
        ->on_action(sub { "\"$action\"" })
        ->outputxml(1)
        ->call(SOAP::Data->name($element)->attr({ xmlns => $namespace, 'xmlns:w' => $WSAG }), SOAP::Data->type(xml => $content));
}

sub property {
    my ($operations, $name) = @_;
    return call($operations, 'GetResourceProperty', $RP, 'GetResourceProperty', "w:$name");
}

sub find {
    my ($message, $tag) = @_;
    my ($found) = $message =~ /<(?:[\w.-]+:)?$tag(?:\s[^>]*)?>([^<]*)</;
    return $found;
}

sub term {
    my ($name, $content) = @_;
    return qq{<w:ServiceDescriptionTerm w:Name="$name" w:ServiceName="META-JOB">$content</w:ServiceDescriptionTerm>};
}

sub state { return find(property($_[0], 'AgreementState'), 'State') }

sub terminate { return call($_[0], 'Terminate', $WSAG, 'TerminateInput', '') }

my $factory = connected("$base/services/AgreementFactory");
my $answer = property($factory, 'Template');
my ($template, $id) = (find($answer, 'TemplateName'), find($answer, 'TemplateId'));
print "template $template $id\n";
my ($item) = $answer =~ /Name="Site"(.*?)Item>/s;
my @sites = ($item =~ /enumeration value="([^"]+)"/g)[0, 1];

# What offers of all kinds have in common.
sub content {
    my ($sites, $nodes, $times) = @_;
    my $terms = join '', map {
        term("RESOURCE_$_", '<j:JobDefinition xmlns:j="http://schemas.ggf.org/jsdl/2005/11/jsdl"><j:JobDescription><j:Resources>'
            . "<j:CandidateHosts><j:HostName>$_</j:HostName></j:CandidateHosts>"
            . "<j:TotalResourceCount><j:Exact>$nodes</j:Exact></j:TotalResourceCount></j:Resources></j:JobDescription></j:JobDefinition>")
    } @$sites;
    $terms .= term('TIME_CONSTRAINT', '<t:TimeConstraint xmlns:t="http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions">'
        . ($times // '') . '<t:Duration>30</t:Duration></t:TimeConstraint>');
    return "<w:Name>$template</w:Name><w:Context><w:ServiceProvider>AgreementResponder</w:ServiceProvider><w:TemplateId>$id</w:TemplateId>"
        . "<w:TemplateName>$template</w:TemplateName></w:Context><w:Terms><w:All>$terms</w:All></w:Terms>";
}

my $offers = 0;

sub create {
    my ($content, $extension) = @_;
    my $offer = qq{<w:AgreementOffer w:AgreementId="perl-$$-${\ time}-${\ $offers++}">$content</w:AgreementOffer>};
    return call($factory, 'CreateAgreement', $WSAG, 'CreateAgreementInput', $offer . ($extension // ''));
}

sub context {
    my ($parent, $state) = @_;
    return "<n:NegotiationOfferContext><n:CounterOfferTo>$parent</n:CounterOfferTo><n:Creator>NegotiationInitiator</n:Creator>"
        . "<n:State><n:$state/></n:State></n:NegotiationOfferContext>";
}

sub reference { return qq{<n:$_[0] xmlns:n="$NEGOTIATION"><a:Address xmlns:a="$WSA">$_[1]</a:Address></n:$_[0]>} }

sub initiate {
    my $kind = shift;
    return find(call(connected("$base/services/NegotiationFactory"), 'InitiateNegotiation', $NEGOTIATION, 'InitiateNegotiationInput',
        qq{<n:NegotiationContext xmlns:n="$NEGOTIATION"><n:NegotiationType>$kind</n:NegotiationType>}
            . '<n:AgreementResponder>NegotiationResponder</n:AgreementResponder></n:NegotiationContext>'), 'Address');
}

# The counter offer's id, its state, and its time as it was written.
sub negotiate {
    my ($negotiation, $parent, $wanted, $nodes) = @_;
    my $answer = call($negotiation, 'Negotiate', $NEGOTIATION, 'NegotiateInput', qq{<n:NegotiationOffer xmlns:n="$NEGOTIATION">}
        . content(\@sites, $nodes) . context($parent, $wanted) . '<n:NegotiationConstraints/></n:NegotiationOffer>');
    my ($offer, $state) = $answer =~ /OfferId="([^"]*)".*?State><(?:[\w.-]+:)?(\w+)/s;
    my $times = join '', map { "<t:$_>" . find($answer, $_) . "</t:$_>" } 'StartTime', 'EndTime';
    return ($offer, $state, $times);
}

# The address of an agreement that is the counter offer.
sub create_from {
    my ($offer, $times, $nodes, $extension, $references) = @_;
    return find(create(content(\@sites, $nodes, $times), qq{<n:$extension xmlns:n="$NEGOTIATION">} . ($references // '')
        . context($offer, 'Acceptable') . "</n:$extension>"), 'Address');
}

print 'refused ', find(create(content(['mars'], 2)), 'ErrorCode'), "\n";
my $address = find(create(content(\@sites, 2)), 'Address');
my $agreement = connected($address);
print "agreement $address\n", 'state ', state($agreement), "\n";
print 'terms ', find(call($agreement, 'QueryResourceProperties', $RP, 'QueryResourceProperties',
    qq{<QueryExpression Dialect="$XPATH">count(//w:ServiceDescriptionTerm)</QueryExpression>}), 'Value'), "\n";

my $acceptance = $ENV{ACCEPTANCE} ? qq{<w:AgreementAcceptanceEPR><a:Address xmlns:a="$WSA">$ENV{ACCEPTANCE}</a:Address></w:AgreementAcceptanceEPR>} : '';
my $pending = connected(find(call($factory, 'CreatePendingAgreement', $WSAG, 'CreatePendingAgreementInput',
    qq{$acceptance<w:AgreementOffer w:AgreementId="perl-$$-${\ time}-p">${\ content(\@sites, 2)}</w:AgreementOffer>}), 'Address'));
for (1 .. 300) {
    last if state($pending) ne 'Pending';
    select undef, undef, undef, 0.1;
}
print 'pending ', state($pending), "\n";
terminate($pending);

my $negotiation = connected(initiate('<n:Negotiation/>'));
my ($advice, $advised) = negotiate($negotiation, "$id-$template", 'Advisory', 2);
print "counter offer $advised\n";
my ($held, $state, $times) = negotiate($negotiation, $advice, 'Solicited', 2);
print "counter offer $state\n";
my $replaced = create_from($held, $times, 2, 'NegotiationExtension');
print 'negotiated ', state(connected($replaced)), "\n";
call($negotiation, 'Terminate', $NEGOTIATION, 'TerminateInput', '');

my $again = initiate('<n:Renegotiation>' . reference('ResponderAgreementEPR', $replaced) . '</n:Renegotiation>');
(my $counter, $state, $times) = negotiate(connected($again), "$id-$template", 'Solicited', 4);
print "counter offer $state\n";
my $larger = connected(create_from($counter, $times, 4, 'RenegotiationExtension',
    reference('ResponderNegotiationEPR', $again) . reference('ResponderAgreementEPR', $replaced)));
print 'renegotiated ', state($larger), "\n", 'replaced ', state(connected($replaced)), "\n";
terminate($larger);

terminate($agreement);
print 'state ', state($agreement), "\n";
print 'fault ', find(terminate($agreement), 'ErrorCode'), "\n";
