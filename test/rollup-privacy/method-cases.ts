import { buildTransaction } from '../../src/ledger/testing/test-ledger.ts';
import { EPHEMERAL_TOKEN_PROGRAM, MAGIC_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import { ROLLUP_BOOKS } from '../../src/rollup/books/item.ts';
import type { PrivateNode } from './private-node.ts';

/**
 * A method's parameters. `own`: the answer shows the owner private data; `plain`: it shows no private data;
 * `wallet`: it shows only the owner's wallet, which is public on base.
 */
export interface MethodCase {
  readonly shows: 'own' | 'plain' | 'wallet';
  readonly params: readonly unknown[];
}

const BASE64 = { encoding: 'base64' };
const PARSED = { encoding: 'jsonParsed' };

/** Methods about the node and its time, without parameters that could contain an account. */
export const PLAIN = [
  'getBlockHeight',
  'getBlockProduction',
  'getClusterNodes',
  'getEpochInfo',
  'getEpochSchedule',
  'getFirstAvailableBlock',
  'getGenesisHash',
  'getAgGenesisCert',
  'getHealth',
  'getHighestSnapshotSlot',
  'getIdentity',
  'getInflationGovernor',
  'getInflationRate',
  'getLatestBlockhash',
  'getLeaderSchedule',
  'getMaxRetransmitSlot',
  'getMaxShredInsertSlot',
  'getRecentPerformanceSamples',
  'getRecentPrioritizationFees',
  'getRoutes',
  'getSlot',
  'getSlotLeader',
  'getStakeMinimumDelegation',
  'getTransactionCount',
  'getVersion',
  'getVoteAccounts',
  'minimumLedgerSlot',
];

/** Returns requests for Alice's data with every method of the rollup; `hidden` is one of her transactions. */
export function methodCases(node: PrivateNode, hidden: string): ReadonlyMap<string, readonly MethodCase[]> {
  const { rollup, alice, sam, mint, layout } = node;
  const { slot, blockhash } = rollup.head();
  const landedSlot = rollup.getTransaction(hidden)?.slot ?? slot;
  const own = (...params: readonly unknown[]): MethodCase => ({ shows: 'own', params });
  const plain = (...params: readonly unknown[]): MethodCase => ({ shows: 'plain', params });
  const draining = drainingTransaction(node);
  const addresses = [alice.ata, alice.eata];
  return new Map<string, readonly MethodCase[]>([
    ...PLAIN.map((name) => [name, [plain()]] as const),
    [
      'getAccountInfo',
      [
        ...addresses.flatMap((address) => [own(address, BASE64), own(address, PARSED)]),
        own(alice.eata, { encoding: 'base58' }),
        plain(ROLLUP_BOOKS, BASE64),
      ],
    ],
    ['getBalance', addresses.map((address) => plain(address))],
    ['getBlock', ['json', 'base64', 'base58', 'jsonParsed'].map((encoding) => own(landedSlot, encoding))],
    ['getBlockCommitment', [plain(landedSlot)]],
    ['getBlockTime', [plain(landedSlot)]],
    ['getBlocks', [plain(0, slot)]],
    ['getBlocksWithLimit', [plain(0, 5)]],
    ['getBlockhashForAccounts', [plain(addresses)]],
    ['getDelegationStatus', addresses.map((address) => plain(address))],
    ['getFeeForMessage', [plain(messageOf(draining))]],
    ['getInflationReward', [plain(addresses)]],
    // On layout A all rents are equal, so Alice's accounts are among the largest, at least of those that can
    // be distinguished. On layout B wallets have SOL, which puts them before all token accounts.
    ['getLargestAccounts', [layout === 'a' ? own() : { shows: 'wallet', params: [] }]],
    ['getMinimumBalanceForRentExemption', [plain(165)]],
    ['getMultipleAccounts', [own(addresses, BASE64), own(addresses, PARSED), plain([ROLLUP_BOOKS], BASE64)]],
    [
      'getProgramAccounts',
      [
        own(TOKEN_PROGRAM, BASE64),
        own(TOKEN_PROGRAM, PARSED),
        own(TOKEN_PROGRAM, { ...BASE64, filters: [{ memcmp: { offset: 32, bytes: alice.address } }] }),
        own(EPHEMERAL_TOKEN_PROGRAM, BASE64),
        plain(MAGIC_PROGRAM, BASE64),
      ],
    ],
    ['getSignatureStatuses', [plain([hidden], { searchTransactionHistory: true })]],
    ['getSignaturesForAddress', [alice.ata, alice.address, TOKEN_PROGRAM].map((address) => own(address))],
    ['getSlotLeaders', [plain(slot, 1)]],
    ['getSupply', [plain()]],
    ['getTokenAccountBalance', [own(alice.ata)]],
    [
      'getTokenAccountsByDelegate',
      [own(sam.address, { mint }, PARSED), own(sam.address, { programId: TOKEN_PROGRAM }, BASE64)],
    ],
    [
      'getTokenAccountsByOwner',
      [own(alice.address, { mint }, PARSED), own(alice.address, { programId: TOKEN_PROGRAM }, BASE64)],
    ],
    ['getTokenLargestAccounts', [own(mint)]],
    ['getTokenSupply', [plain(mint)]],
    [
      'getTransaction',
      ['json', 'jsonParsed', 'base64', 'base58'].map((encoding) =>
        own(hidden, { encoding, maxSupportedTransactionVersion: 0 }),
      ),
    ],
    ['isBlockhashValid', [plain(blockhash)]],
    ['requestAirdrop', [plain(alice.address, 1)]],
    ['requestTokenAirdrop', [plain(alice.address, mint, 1)]],
    ['sendTransaction', [plain(draining, BASE64)]],
    [
      'simulateTransaction',
      [
        own(draining, {
          ...BASE64,
          innerInstructions: true,
          accounts: { addresses: [alice.ata], ...BASE64 },
        }),
        own(draining, { ...BASE64, accounts: { addresses: [alice.ata], ...PARSED } }),
      ],
    ],
  ]);
}

/** Returns an unsigned transaction that would move some of Alice's tokens, in base64. */
function drainingTransaction({ rollup, alice, sam }: PrivateNode): string {
  const accounts = { source: alice.ata, destination: sam.ata, authority: alice.address };
  const { wire } = buildTransaction(rollup, [alice.wallet], [transferTokens(TOKEN_PROGRAM, accounts, 7n)]);
  return Buffer.from(Uint8Array.from(wire).fill(0, 1, 65)).toString('base64');
}

function messageOf(transaction: string): string {
  return Buffer.from(transaction, 'base64').subarray(65).toString('base64');
}
