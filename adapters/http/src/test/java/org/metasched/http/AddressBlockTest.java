package org.metasched.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressBlockTest {

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0/0, 10.1.2.3, true",
        "0.0.0.0/0, 192.0.2.1, true",
        "0.0.0.0/0, ::1, false",
        "::/0, fe80::1, true",
        "128.0.0.0/1, 127.255.255.255, false",
        "128.0.0.0/1, 255.0.0.1, true",
        "192.168.0.0/23, 192.168.1.255, true",
        "192.168.0.0/23, 192.168.2.0, false",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.6, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe00::1, false",
        "10.0.0.0/8, ::ffff:10.1.1.1, true"
    })
    void aBlockHasTheAddressesThatBeginWithItsBits(String block, String address, boolean isInside) throws Exception {
        assertThat(AddressBlock.of(block).contains(InetAddress.getByName(address)))
                .isEqualTo(isInside);
    }
}
