import type { Keypair } from '../../../src/ledger/keypair.ts';
import { addressBytes } from '../../../src/solana/address.ts';
import { CLEAR, DANGER, type Row } from '../row.ts';
import { putTogether, rewired, takeApart, wireOf } from '../transaction-parts.ts';
import { type HostName, HOSTS, signerOf } from '../world/hosts.ts';
import type { World } from '../world/world.ts';

/**
 * The order of the ed25519 group. Adding it to the second half of a signature gives an equivalent signature.
 */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

function plusOrder(signature: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(signature);
  let carry = GROUP_ORDER;
  for (let at = 32; at < 64; at++) {
    carry += BigInt(changed[at] as number);
    changed[at] = Number(carry & 0xffn);
    carry >>= 8n;
  }
  return changed;
}

type Sign = (signer: Keypair, message: Uint8Array, world: World) => Uint8Array;

const signed = (host: HostName, how: string, sign: Sign): Row => ({
  name: `${host}, signed ${how}`,
  alone: DANGER,
  codes: ['WRONG_SIGNATURE'],
  // The content may match the request. Only the signature is wrong.
  asked: ['yes', 'no', 'unverifiable'],
  make: async (world) =>
    rewired(await HOSTS[host](world), (wire) => {
      wire.set(sign(signerOf(world, host), wire.subarray(65), world), 1);
      return wire;
    }),
});

const flipped = (signature: Uint8Array, at: number): Uint8Array => {
  const changed = Uint8Array.from(signature);
  changed[at] = (changed[at] as number) ^ 1;
  return changed;
};

const HOST_NAMES = ['deposit', 'transfer', 'rollupTransfer'] as const;

/** Signatures that do not match their message. */
export const SIGNATURE_ROWS: readonly Row[] = HOST_NAMES.flatMap((host): Row[] => [
  {
    name: `${host}, signed as it should be`,
    alone: CLEAR,
    asked: ['yes'],
    make: async (world) =>
      rewired(await HOSTS[host](world), (wire) => {
        wire.set(signerOf(world, host).sign(wire.subarray(65)), 1);
        return wire;
      }),
  },
  signed(host, 'by the thief', (_, message, { thief }) => thief.sign(message)),
  signed(host, 'for another amount', (signer, message) => signer.sign(flipped(message, message.length - 1))),
  signed(host, 'for another blockhash', (signer, message) => signer.sign(flipped(message, 100))),
  signed(host, 'with one bit of the first half changed', (signer, message) =>
    flipped(signer.sign(message), 0),
  ),
  signed(host, 'with one bit of the second half changed', (signer, message) =>
    flipped(signer.sign(message), 40),
  ),
  signed(host, 'with a second half beyond the order of the group', (signer, message) =>
    plusOrder(signer.sign(message)),
  ),
  signed(host, 'by all ones', () => new Uint8Array(64).fill(0xff)),
  signed(host, 'by the point of order one', () => Uint8Array.of(1, ...new Uint8Array(63))),
  signed(
    host,
    'by the key itself',
    (signer) => new Uint8Array([...addressBytes(signer.address), ...new Uint8Array(32)]),
  ),
]).concat({
  name: 'transfer, signed before its amount was changed',
  alone: DANGER,
  codes: ['WRONG_SIGNATURE'],
  asked: ['no'],
  async make(world) {
    const offer = await HOSTS.transfer(world);
    const parts = takeApart(offer);
    const instructions = parts.instructions.map((each) => ({
      ...each,
      data: Uint8Array.from(each.data).fill(9, 1, 2),
    }));
    const wire = wireOf({ transactionBase64: putTogether({ ...parts, instructions }) });
    wire.set(world.alice.sign(wireOf(offer).subarray(65)), 1);
    return { ...offer, transactionBase64: Buffer.from(wire).toString('base64') };
  },
});
