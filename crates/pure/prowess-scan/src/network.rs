//! How far away a machine is, by its address alone.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressKind {
    /// The internet.
    Public,
    /// This machine.
    Loopback,
    /// A network that only its members see.
    Private,
    /// Nothing: it is set aside for examples in documents.
    Documentation,
    /// Nobody, everybody, or an address of version 4 in disguise.
    Unusable,
}

/// The kind of an address. One of version 4 that is mapped to version 6 counts as itself.
///
/// ```
/// use prowess_scan::network::{AddressKind, kind_of};
///
/// assert_eq!(kind_of("192.88.98.1".parse()?), AddressKind::Public);
/// assert_eq!(kind_of("::ffff:169.254.169.254".parse()?), AddressKind::Private);
/// assert_eq!(kind_of("2002:7f00:1::".parse()?), AddressKind::Unusable);
/// # Ok::<(), core::net::AddrParseError>(())
/// ```
pub fn kind_of(address: IpAddr) -> AddressKind {
    match address {
        IpAddr::V4(address) => kind_of_v4(address),
        IpAddr::V6(address) => address.to_ipv4_mapped().map_or_else(|| kind_of_v6(address), kind_of_v4),
    }
}

fn kind_of_v4(address: Ipv4Addr) -> AddressKind {
    match address.octets() {
        [127, ..] => AddressKind::Loopback,
        // The last three: link-local, where clouds keep their keys, then networks of providers and of tests.
        [10, ..]
        | [172, 16..32, ..]
        | [192, 168, ..]
        | [169, 254, ..]
        | [100, 64..128, ..]
        | [198, 18..20, ..] => AddressKind::Private,
        [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => AddressKind::Documentation,
        // This network, multicast and what is reserved; protocols; relays of 6to4.
        [0 | 224..=255, ..] | [192, 0, 0, _] | [192, 88, 99, _] => AddressKind::Unusable,
        _ => AddressKind::Public,
    }
}

fn kind_of_v6(address: Ipv6Addr) -> AddressKind {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => AddressKind::Loopback,
        // Unique local, link-local, and the site-local addresses of old.
        [0xfc00..0xfe00 | 0xfe80..0xff00, ..] => AddressKind::Private,
        [0x2001, 0xdb8, ..] | [0x3fff, 0..0x1000, ..] => AddressKind::Documentation,
        // 6to4 and multicast, Teredo, NAT64, ISATAP, IPv4-translated and IPv4-compatible, and what is discarded: most
        // hide an address of version 4.
        [0x2002 | 0xff00..=0xffff, ..]
        | [0x2001, 0, ..]
        | [0x64, 0xff9b, ..]
        | [_, _, _, _, 0 | 0x100 | 0x200 | 0x300, 0x5efe, ..]
        | [0, 0, 0, 0, 0xffff | 0, 0, ..]
        | [0x100, 0, 0, 0, ..] => AddressKind::Unusable,
        _ => AddressKind::Public,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn are(kind: AddressKind, addresses: &[&str]) {
        for address in addresses {
            assert_eq!(kind_of(address.parse().unwrap()), kind, "{address}");
        }
    }

    #[test]
    fn the_edges_of_every_range() {
        are(AddressKind::Loopback, &["127.0.0.0", "127.255.255.255", "::1", "::ffff:127.0.0.1"]);
        are(
            AddressKind::Private,
            &[
                "10.0.0.0",
                "10.255.255.255",
                "100.64.0.0",
                "100.127.255.255",
                "169.254.0.0",
                "169.254.255.255",
                "172.16.0.0",
                "172.31.255.255",
                "192.168.0.0",
                "192.168.255.255",
                "198.18.0.0",
                "198.19.255.255",
                "fc00::",
                "fdff:ffff::",
                "fe80::",
                "febf:ffff::",
                "fec0::",
                "feff:ffff::",
                "::ffff:10.0.0.1",
            ],
        );
        are(
            AddressKind::Documentation,
            &["192.0.2.255", "198.51.100.0", "203.0.113.0", "2001:db8::1", "3fff:fff::", "::ffff:192.0.2.1"],
        );
        are(
            AddressKind::Unusable,
            &[
                "0.0.0.0",
                "0.255.255.255",
                "192.0.0.255",
                "192.88.99.1",
                "224.0.0.0",
                "255.255.255.255",
                "::",
                "::2",
                "::7f00:1",
                "2001::",
                "2001:0:ffff::",
                "2002::",
                "2002:ffff::",
                "64:ff9b::7f00:1",
                "64:ff9b:1::1",
                "2606::5efe:7f00:1",
                "2606::200:5efe:7f00:1",
                "2606::300:5efe:7f00:1",
                "::ffff:0:7f00:1",
                "100::1",
                "ff00::",
                "ff02::1",
                "::ffff:0.0.0.0",
            ],
        );
        are(
            AddressKind::Public,
            &[
                "1.0.0.0",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "169.255.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.255",
                "192.0.3.0",
                "192.88.98.255",
                "192.88.100.0",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "198.51.99.255",
                "198.51.101.0",
                "203.0.112.255",
                "203.0.114.0",
                "223.255.255.255",
                "::ffff:8.8.8.8",
                "2001:1::",
                "2001:db7::",
                "2001:db9::",
                "2003::",
                "2606:4700::1111",
                "3fff:1000::",
                "65:ff9b::",
                "100:0:0:1::",
                "fbff::",
                "fe00::",
                "fe7f:ffff::",
            ],
        );
    }
}
