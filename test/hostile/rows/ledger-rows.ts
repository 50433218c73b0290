import { USDC_DEVNET_MINT, USDC_MINT } from '../../../src/programs/addresses.ts';
import { advanceNonce } from '../../../src/ledger/testing/instructions.ts';
import { decodeBase58, encodeBase58 } from '../../../src/solana/base58.ts';
import { ELSEWHERE } from '../extras/eata-program.ts';
import { ANY, CAUTION, DANGER, NOT_CLEAR, type Offer, type Row, type Satisfied } from '../row.ts';
import { rebuilt } from '../transaction-parts.ts';
import { aloneOf, HOSTS, type Built, type HostName } from '../world/hosts.ts';
import { strange } from '../world/kit.ts';
import type { World } from '../world/world.ts';

const EVERY_HOST = ['deposit', 'withdraw', 'transfer', 'rollupTransfer', 'undelegate'] as const;
const ON_BASE: ReadonlySet<HostName> = new Set<HostName>(['deposit', 'withdraw', 'transfer']);

/** Returns the request without a blockhash. */
const withoutBlockhash = ({ request: { operation, arguments: args }, ...offer }: Built): Offer => ({
  ...offer,
  request: { operation, arguments: args },
});

const onBlockhash = (
  host: HostName,
  what: string,
  alone: Row['alone'],
  blockhash: (world: World) => string,
  asked: readonly Satisfied[] = ['no'],
): Row => ({
  name: `${host}, on ${what}`,
  alone,
  asked,
  make: async (world) =>
    rebuilt(withoutBlockhash(await HOSTS[host](world)), () => ({
      blockhash: decodeBase58(blockhash(world)),
    })),
});

const otherLedger = (host: HostName) => (ON_BASE.has(host) ? 'ephemeral' : 'base');

const blockhashRows: readonly Row[] = EVERY_HOST.flatMap((host) => [
  onBlockhash(host, 'a blockhash of zeros', DANGER, () => encodeBase58(new Uint8Array(32))),
  onBlockhash(host, 'a blockhash that nobody knows', DANGER, () => strange(190)),
  onBlockhash(
    host,
    "the other ledger's blockhash",
    DANGER,
    ({ scene }) => (ON_BASE.has(host) ? scene.rollup : scene.base).head().blockhash,
  ),
  {
    name: `${host}, with a request that was told another blockhash`,
    alone: aloneOf(host),
    asked: ['no'],
    async make(world) {
      const offer = await HOSTS[host](world);
      return { ...offer, request: { ...offer.request, recentBlockhash: strange(191) } };
    },
  },
  {
    name: `${host}, with a request that was told no blockhash`,
    alone: aloneOf(host),
    asked: ['yes'],
    isClearAsAsked: true,
    make: async (world) => withoutBlockhash(await HOSTS[host](world)),
  },
  {
    name: `${host}, sent to the other ledger`,
    alone: DANGER,
    asked: ['no'],
    make: async (world) => ({ ...(await HOSTS[host](world)), sendTo: otherLedger(host) }),
  },
  {
    name: `${host}, sent nowhere by name`,
    alone: ON_BASE.has(host) || host === 'undelegate' ? aloneOf(host) : ANY,
    asked: ['yes'],
    isClearAsAsked: true,
    async make(world) {
      const { sendTo: _, ...offer } = await HOSTS[host](world);
      return offer;
    },
  },
  {
    name: `${host}, looked at offline`,
    alone: CAUTION,
    codes: ['OFFLINE'],
    asked: ['unverifiable'],
    make: async (world) => ({ ...(await HOSTS[host](world)), offline: true }),
  },
  {
    name: `${host}, sent to the other ledger and looked at offline`,
    alone: NOT_CLEAR,
    asked: ['no'],
    make: async (world) => ({ ...(await HOSTS[host](world)), sendTo: otherLedger(host), offline: true }),
  },
]);

/** A durable nonce in place of a blockhash, which never expires. */
const nonceRow: Row = {
  name: 'transfer, on a durable nonce',
  alone: DANGER,
  codes: ['DANGEROUS_INSTRUCTION'],
  asked: ['no'],
  make: async (world) =>
    rebuilt(await HOSTS.transfer(world), ({ instructions }) => ({
      blockhash: new Uint8Array(32).fill(7),
      instructions: [advanceNonce(world.kit.nonce, world.kit.me), ...instructions],
    })),
};

/** Creates an unchanged offer with a different request. */
const otherRequest = (
  host: HostName,
  what: string,
  args: (world: World) => object,
  operation?: string,
): Row => ({
  name: `${host}, where ${what} was asked for`,
  alone: aloneOf(host),
  asked: ['no'],
  async make(world) {
    const offer = await HOSTS[host](world);
    const asked = operation === undefined ? { ...offer.request.arguments, ...args(world) } : args(world);
    return {
      ...offer,
      request: { ...offer.request, operation: operation ?? offer.request.operation, arguments: asked },
    };
  },
});

const requestRows: readonly Row[] = [
  otherRequest('transfer', 'less', () => ({ amount: 999_999 })),
  otherRequest('transfer', 'more', () => ({ amount: 1_000_001 })),
  otherRequest('transfer', 'another recipient', ({ thief }) => ({ to: thief.address })),
  otherRequest('transfer', 'another sender', ({ thief }) => ({ from: thief.address })),
  otherRequest('transfer', 'another mint', () => ({ mint: USDC_DEVNET_MINT })),
  otherRequest('transfer', 'a memo', () => ({ memo: 'Order 1042' })),
  otherRequest('transfer', 'an account for the recipient', () => ({ initRecipientAta: true })),
  otherRequest('transfer', 'a payment on the rollup', () => ({
    fromBalance: 'ephemeral',
    toBalance: 'ephemeral',
  })),
  otherRequest('transfer', 'a private payment', () => ({ visibility: 'private' })),
  otherRequest('transfer', 'a platform fee', ({ kit }) => ({
    platformFeeBps: 100,
    platformFeeAccount: kit.thiefAta,
  })),
  otherRequest('transfer', 'a deposit', ({ kit }) => ({ owner: kit.me, amount: 1_000_000 }), 'deposit'),
  otherRequest(
    'transfer',
    'a withdrawal',
    ({ kit }) => ({ owner: kit.me, mint: USDC_MINT, amount: 1_000_000 }),
    'withdraw',
  ),
  otherRequest(
    'transfer',
    'an undelegation',
    ({ kit }) => ({ payer: kit.me, mint: USDC_MINT }),
    'undelegate',
  ),
  otherRequest('rollupTransfer', 'less', () => ({ amount: 999_999 })),
  otherRequest('rollupTransfer', 'another recipient', ({ thief }) => ({ to: thief.address })),
  otherRequest('rollupTransfer', 'a payment on base', () => ({ fromBalance: 'base', toBalance: 'base' })),
  otherRequest('deposit', 'less', () => ({ amount: 999_999 })),
  otherRequest('deposit', 'a public deposit', () => ({ private: false })),
  otherRequest('deposit', 'another owner', ({ bob }) => ({ owner: bob.address })),
  otherRequest('deposit', 'another mint', () => ({ mint: USDC_DEVNET_MINT })),
  otherRequest('deposit', 'another validator', () => ({ validator: ELSEWHERE })),
  otherRequest('deposit', 'an eATA that is there', () => ({ initIfMissing: false })),
  otherRequest('deposit', 'a vault', () => ({ initVaultIfMissing: true })),
  otherRequest('deposit', 'a token account', () => ({ initAtasIfMissing: true })),
  otherRequest('withdraw', 'less', () => ({ amount: 999_999 })),
  otherRequest('withdraw', 'another owner', ({ bob }) => ({ owner: bob.address })),
  otherRequest('withdraw', 'a token account', () => ({ initAtasIfMissing: true })),
  otherRequest('undelegate', 'another owner', ({ paul }) => ({ payer: paul.address })),
  otherRequest('undelegate', 'another mint', () => ({ mint: USDC_DEVNET_MINT })),
  otherRequest('undelegate', 'a deposit', ({ dora }) => ({ owner: dora.address, amount: 1 }), 'deposit'),
];

/** Ledgers, blockhashes and requests that do not match the transaction. */
export const LEDGER_ROWS: readonly Row[] = [...blockhashRows, nonceRow, ...requestRows];
