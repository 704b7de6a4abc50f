#!/usr/bin/perl
# A WS-Agreement client in Perl: SOAP::Lite, which takes addresses and actions from the WSDL. It speaks SOAP 1.1.
#
# Usage: perl perl_client.pl BASE_URL [soap11 [CA_FILE]]
#
# Fetches the template, offers two nodes at two sites that it shows, reads the state of the agreement, ends it, and prints one line for each step.
use strict;
use warnings;
use SOAP::Lite;

my $WSAG = 'http://schemas.ggf.org/graap/2007/03/ws-agreement';
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

my $factory = connected("$base/services/AgreementFactory");
my $answer = property($factory, 'Template');
my ($template, $id) = (find($answer, 'TemplateName'), find($answer, 'TemplateId'));
print "template $template $id\n";

my ($item) = $answer =~ /Name="Site"(.*?)Item>/s;
my @sites = $item =~ /enumeration value="([^"]+)"/g;
my $terms = join '', map {
    term("RESOURCE_$_", '<j:JobDefinition xmlns:j="http://schemas.ggf.org/jsdl/2005/11/jsdl"><j:JobDescription><j:Resources>'
        . "<j:CandidateHosts><j:HostName>$_</j:HostName></j:CandidateHosts>"
        . '<j:TotalResourceCount><j:Exact>2</j:Exact></j:TotalResourceCount></j:Resources></j:JobDescription></j:JobDefinition>')
} @sites[0, 1];
$terms .= term('TIME_CONSTRAINT', '<t:TimeConstraint xmlns:t="http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions">'
    . '<t:Duration>30</t:Duration></t:TimeConstraint>');
my $offer = qq{<w:AgreementOffer w:AgreementId="perl-$$-${\ time}"><w:Name>$template</w:Name><w:Context>}
    . "<w:ServiceProvider>AgreementResponder</w:ServiceProvider><w:TemplateId>$id</w:TemplateId><w:TemplateName>$template</w:TemplateName>"
    . "</w:Context><w:Terms><w:All>$terms</w:All></w:Terms></w:AgreementOffer>";
my $address = find(call($factory, 'CreateAgreement', $WSAG, 'CreateAgreementInput', $offer), 'Address');
print "agreement $address\n";

my $agreement = connected($address);
print 'state ', find(property($agreement, 'AgreementState'), 'State'), "\n";
call($agreement, 'Terminate', $WSAG, 'TerminateInput', '');
print 'state ', find(property($agreement, 'AgreementState'), 'State'), "\n";
print 'fault ', find(call($agreement, 'Terminate', $WSAG, 'TerminateInput', ''), 'ErrorCode'), "\n";
