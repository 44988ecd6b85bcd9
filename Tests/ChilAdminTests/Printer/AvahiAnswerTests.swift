import Testing

@testable import ChilAdmin

@Suite("avahi-browse")
struct AvahiAnswerTests {
    private static let text = #"""
        +;eth0;IPv4;EPSON\032ET-2850;_ipp._tcp;local
        =;eth0;IPv6;EPSON\032ET-2850;_ipp._tcp;local;EPSON1.local;fd00::20;631;"rp=ipp/print" "UUID=u-1"
        =;eth0;IPv4;EPSON\032ET-2850;_ipp._tcp;local;EPSON1.local;192.168.1.20;631;"txtvers=1" "rp=ipp/print" "ty=EPSON ET-2850 Series" "pdl=image/jpeg,application/pdf" "Color=T" "UUID=u-1"
        =;eth0;IPv4;EPSON\032ET-2850;_ipps._tcp;local;EPSON1.local;192.168.1.20;631;"rp=ipp/print" "UUID=u-1"
        =;eth0;IPv6;Far;_ipp._tcp;local;far.local;fe80::1;631;"rp=ipp/print"
        =;eth0;IPv4;\234\183\184\235\166\188;_ipp._tcp;local;k.local;192.168.1.21;8631;"Color=F"
        =;eth0;IPv4;Evil;_ipp._tcp;local;e.local;192.168.1.22;631;"rp=x?y#z"
        =;eth0;IPv4;Port;_ipp._tcp;local;p.local;192.168.1.23;0;"rp=ipp/print"
        =;eth0;IPv4;Web;_http._tcp;local;w.local;192.168.1.24;80;
        =;half
        """#

    @Test func whatIsAPrinterIsShownOnce() {
        let rows = AvahiAnswer.rows(in: Self.text)
        #expect(
            rows.map(\.uri) == [
                "ipp://192.168.1.20/ipp/print", "ipps://192.168.1.20/ipp/print", "ipp://192.168.1.21:8631/ipp/print",
            ]
        )
        #expect(rows.map(\.name) == ["EPSON ET-2850", "EPSON ET-2850", "그림"])
        #expect(rows[0].model == "EPSON ET-2850 Series" && rows[0].isColor == true)
        #expect(rows[0].formats == ["image/jpeg", "application/pdf"] && rows[2].isColor == false)
    }
}
