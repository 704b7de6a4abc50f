package org.metasched.client.xml;

import java.util.Set;
import javax.xml.namespace.QName;

/** Namespaces and names of the documents that clients and servers exchange. */
public final class XmlNames {

    public static final String WSAG = "http://schemas.ggf.org/graap/2007/03/ws-agreement";
    public static final String JSDL = "http://schemas.ggf.org/jsdl/2005/11/jsdl";
    public static final String JSDL_POSIX = "http://schemas.ggf.org/jsdl/2005/11/jsdl-posix";
    /** Namespaces of the HPC profile: the one that the specification gives, and the one that its users also write. */
    public static final Set<String> JSDL_HPC =
            Set.of("http://schemas.ggf.org/jsdl/2006/07/jsdl-hpcpa", "http://schemas.ogf.org/jsdl/2006/07/jsdl-hpcpa");

    public static final String JSDL_SPMD = "http://schemas.ogf.org/jsdl/2007/02/jsdl-spmd";
    public static final String SCHEDULING = "http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions";
    public static final String ALLOCATION = "http://www.ogf.org/graap/AR/2009/04/";
    public static final String WSAG4J_ENGINE = "http://schemas.scai.fraunhofer.de/2008/11/wsag4j/engine";
    public static final String SOAP = "http://www.w3.org/2003/05/soap-envelope";
    public static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    public static final String NEGOTIATION = "http://schemas.ogf.org/graap/2009/11/ws-agreement-negotiation";
    public static final String PROPERTIES = "http://docs.oasis-open.org/wsrf/rp-2";
    public static final String LIFETIME = "http://docs.oasis-open.org/wsrf/rl-2";
    /** Our own namespace. */
    public static final String METASCHED = "urn:metasched:agreement:1";
    /** Dialect of our error codes. */
    public static final String ERROR_DIALECT = "urn:metasched:error:1";

    public static final QName TEMPLATE = new QName(WSAG, "Template");
    public static final QName AGREEMENT_ENTRY = new QName(METASCHED, "AgreementEntry");
    public static final QName AGREEMENT_EVENT = new QName(METASCHED, "AgreementEvent");
    public static final QName RESOURCE_ID = new QName(METASCHED, "ResourceId");

    private XmlNames() {}
}
