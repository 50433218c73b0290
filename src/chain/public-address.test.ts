import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './custom-clusters.ts';

const PUBLIC = '1.1.1.1 8.8.8.8 172.15.255.255 172.32.0.1 100.128.0.1 2606:4700::1111 2a00::1';

const PRIVATE_IPV4 = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1
  172.31.255.255 192.0.0.1 192.0.2.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
  240.0.0.1 255.255.255.255`;

const PRIVATE_IPV6 = `
  :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1
  2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fec0::1 ff02::1 fe80::1%eth0`;

const listOf = (text: string): string[] => text.trim().split(/\s+/);

describe('isPublicAddress', () => {
  it.each(listOf(PUBLIC))('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(listOf(PRIVATE_IPV4))('rejects %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(listOf(PRIVATE_IPV6))('rejects %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['', 'localhost', '127.1', '2130706433', '[::1]', '8.8.8.8 ', '08.8.8.8'])(
    'rejects %j, which is not an address',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});
