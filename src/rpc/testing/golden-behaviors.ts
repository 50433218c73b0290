import {
  address as kitAddress,
  compileTransactionMessage,
  createTransactionMessage,
  getCompiledTransactionMessageEncoder,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessagePriorityFeeLamports,
  type Blockhash,
} from '@solana/kit';
import { Keypair } from '../../ledger/keypair.ts';
import {
  advanceNonce,
  createAccount,
  createLookupTable,
  initializeNonce,
} from '../../ledger/testing/instructions.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  NATIVE_MINT,
  STAKE_CONFIG,
  SYSTEM_PROGRAM,
} from '../../programs/addresses.ts';
import { transferLamports } from '../../programs/system.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/instruction.ts';
import type { TestNode } from './test-node.ts';
import { readZstd } from './read-zstd.ts';
import { addressFilledWith } from './transactions.ts';

const STAKE_CONFIG_BYTES = 'AAAAAAAAANA/DA==';
const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111';
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';
/** The fee of a transaction with one signature (`LAMPORTS_PER_SIGNATURE`). */
const FEE = 5_000;

interface InContext<T> {
  readonly context: { readonly slot: number };
  readonly value: T;
}

/** The node under test and a wallet. */
export interface Asked extends TestNode {
  readonly alice: Keypair;
  /** Sends instructions from Alice with a preflight at confirmed, as wallets do. Returns the signature. */
  send(instructions: readonly Instruction[], ...others: readonly Keypair[]): Promise<string>;
  /** Requests an airdrop, which lands in the next slot. Returns the signature. */
  airdrop(to: Address, lamports: number): Promise<string>;
}

/**
 * Behaviors of Agave that other nodes often lack: the call and the expected result. The values for
 * inflation, fees and rent match `solana-test-validator`.
 */
export const GOLDEN_BEHAVIORS: readonly (readonly [
  behavior: string,
  ask: (node: Asked) => Promise<unknown>,
  answer: unknown,
])[] = [
  [
    'getSlot at confirmed returns a finished slot, whose block is available',
    async ({ ask }) => {
      const slot = await ask<number>('getSlot', { commitment: 'confirmed' });
      const block = await ask<{ parentSlot: number }>('getBlock', slot, { transactionDetails: 'none' });
      return block.parentSlot - slot;
    },
    -1,
  ],
  [
    'createLookupTable accepts the slot that getSlot returns at finalized',
    async ({ alice, ask, send }) => {
      const slot = await ask<number>('getSlot', { commitment: 'finalized' });
      const signature = await send([createLookupTable(alice.address, BigInt(slot)).instruction]);
      return outcomeOf(ask, signature);
    },
    null,
  ],
  [
    'AdvanceNonceAccount also runs at any position of a transaction with a blockhash',
    async (node) => {
      const nonce = await makeNonce(node);
      const before = node.ledger.getAccount(nonce)?.data;
      node.clock.pass(1_000);
      const transfer = transferLamports(node.alice.address, node.alice.address, 1n);
      const signature = await node.send([transfer, advanceNonce(nonce, node.alice.address)]);
      const hasMoved = !Buffer.from(before ?? []).equals(node.ledger.getAccount(nonce)?.data ?? Buffer.of());
      return [await outcomeOf(node.ask, signature), hasMoved];
    },
    [null, true],
  ],
  [
    'requestAirdrop of a lamport to a new address returns a signature and fails on the ledger',
    async ({ airdrop, ask }) => outcomeOf(ask, await airdrop(addressFilledWith(90), 1)),
    { InsufficientFundsForRent: { account_index: 1 } },
  ],
  [
    'an airdrop logs the two lines of a transfer',
    async ({ airdrop, ask }) => {
      const signature = await airdrop(addressFilledWith(91), 5_000_000);
      return (await ask<{ meta: { logMessages: unknown } }>('getTransaction', signature)).meta.logMessages;
    },
    [`Program ${SYSTEM_PROGRAM} invoke [1]`, `Program ${SYSTEM_PROGRAM} success`],
  ],
  [
    'getVoteAccounts lists this node with a stake and votes',
    async ({ ask, ledger }) => {
      const [own] = (await ask<{ current: Record<string, unknown>[] }>('getVoteAccounts')).current;
      const isVoting = own?.['lastVote'] === ledger.head().slot - 1;
      return [own?.['nodePubkey'] === ledger.identity, own?.['activatedStake'], isVoting];
    },
    [true, 999_999_997_717_120, true],
  ],
  [
    'getFeeForMessage includes the priority fee of a version 1 message',
    async ({ alice, ask, ledger }) => {
      const message = versionOneMessage(alice.address, ledger.head().blockhash, 42n);
      return (await ask<InContext<number>>('getFeeForMessage', message)).value;
    },
    FEE + 42,
  ],
  [
    'getLeaderSchedule of a slot in a distant epoch is null',
    ({ ask }) => ask('getLeaderSchedule', 4_320_000),
    null,
  ],
  [
    'getInflationGovernor returns the genesis values as floats',
    ({ callForText: call }) => call('getInflationGovernor'),
    '"result":{"foundation":0.05,"foundationTerm":7.0,"initial":0.08,"taper":0.15,"terminal":0.015}',
  ],
  [
    'getInflationRate returns zeros as floats',
    ({ callForText: call }) => call('getInflationRate'),
    '"result":{"epoch":0,"foundation":0.0,"total":0.0,"validator":0.0}',
  ],
  [
    'getVersion and getClusterNodes agree about this node',
    async ({ ask, ledger }) => {
      const version = await ask<Record<string, unknown>>('getVersion');
      const [own, ...others] = await ask<Record<string, unknown>[]>('getClusterNodes');
      return [
        own?.['pubkey'] === ledger.identity,
        own?.['version'] === version['solana-core'],
        own?.['featureSet'] === version['feature-set'],
        (own?.['shredVersion'] as number) > 0,
        others,
      ];
    },
    [true, true, true, true, []],
  ],
  [
    'getSupply adds up to all lamports',
    async ({ ask, ledger }) => {
      const { value } = await ask<InContext<Record<string, number>>>('getSupply');
      const { circulating, nonCirculating, total } = value as Record<string, number>;
      return [
        (circulating as number) + (nonCirculating as number) === total,
        total === Number(ledger.totalLamports()),
      ];
    },
    [true, true],
  ],
  [
    'getRecentPrioritizationFees returns the lowest price of each finished slot',
    async ({ alice, ask, send, clock }) => {
      const price = { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: unitPrice(1_000_000n) };
      const signature = await send([price, transferLamports(alice.address, alice.address, 1n)]);
      const { slot } = await ask<{ slot: number }>('getTransaction', signature);
      clock.pass(1_000);
      const fees = await ask<{ slot: number; prioritizationFee: number }[]>('getRecentPrioritizationFees');
      return [
        fees.find((each) => each.slot === slot)?.prioritizationFee,
        fees.find((each) => each.slot === slot + 1)?.prioritizationFee,
      ];
    },
    [1_000_000, 0],
  ],
  [
    'the stake config is an account of the config program',
    async ({ ask }) => {
      const { value } = await ask<InContext<Record<string, unknown>>>('getAccountInfo', STAKE_CONFIG, {
        encoding: 'base64',
      });
      return [value['owner'], value['data'], value['lamports']];
    },
    ['Config1111111111111111111111111111111111111', [STAKE_CONFIG_BYTES, 'base64'], 960_480],
  ],
  [
    'the native mint has nine decimals and no mint authority',
    async ({ ask }) => {
      const { value } = await ask<InContext<object>>('getAccountInfo', NATIVE_MINT, {
        encoding: 'jsonParsed',
      });
      return (value as { data: { parsed: unknown } }).data.parsed;
    },
    {
      info: { decimals: 9, freezeAuthority: null, isInitialized: true, mintAuthority: null, supply: '0' },
      type: 'mint',
    },
  ],
  [
    'getBlockProduction counts the slots of the epoch from its start',
    async ({ ask, ledger }) => {
      const { context, value } =
        await ask<
          InContext<{ byIdentity: Record<string, number[]>; range: { firstSlot: number; lastSlot: number } }>
        >('getBlockProduction');
      const { firstSlot, lastSlot } = value.range;
      const slots = lastSlot + 1;
      return [firstSlot, lastSlot - context.slot, value.byIdentity[ledger.identity]?.map((of) => of - slots)];
    },
    [0, 0, [0, 0]],
  ],
  [
    'base64+zstd is a Zstandard frame of the bytes',
    async ({ ask }) => {
      const dataIn = async (encoding: string): Promise<Buffer> => {
        const { value } = await ask<InContext<{ data: [string] }>>('getAccountInfo', RENT_SYSVAR, {
          encoding,
        });
        return Buffer.from(value.data[0], 'base64');
      };
      return readZstd(await dataIn('base64+zstd')).equals(await dataIn('base64'));
    },
    true,
  ],
  [
    'getProgramAccounts finds the sysvars by owner, sorted by bytes',
    async ({ ask }) => {
      const config = { encoding: 'base64', dataSlice: { offset: 0, length: 0 } };
      const found = await ask<{ pubkey: string }[]>('getProgramAccounts', SYSVAR_OWNER, config);
      return found.map(({ pubkey }) => pubkey);
    },
    [
      'SysvarC1ock11111111111111111111111111111111',
      'SysvarEpochRewards1111111111111111111111111',
      'SysvarEpochSchedu1e111111111111111111111111',
      'SysvarFees111111111111111111111111111111111',
      'SysvarLastRestartS1ot1111111111111111111111',
      'SysvarRecentB1ockHashes11111111111111111111',
      'SysvarRent111111111111111111111111111111111',
      'SysvarS1otHashes111111111111111111111111111',
      'SysvarS1otHistory11111111111111111111111111',
      'SysvarStakeHistory1111111111111111111111111',
    ],
  ],
];

/** Returns the error of a transaction according to its status. */
async function outcomeOf(ask: TestNode['ask'], signature: string): Promise<unknown> {
  const { value } = await ask<InContext<{ err: unknown }[]>>('getSignatureStatuses', [signature]);
  return value[0]?.err;
}

/** Creates a nonce account for Alice. */
async function makeNonce({ alice, random, send }: Asked): Promise<Address> {
  const nonce = new Keypair(random.bytes(32));
  const kept = { lamports: 1_447_680n, space: 80n, owner: SYSTEM_PROGRAM };
  const made = createAccount(alice.address, nonce.address, kept);
  await send([made, initializeNonce(nonce.address, alice.address)], nonce);
  return nonce.address;
}

/** Encodes `ComputeBudgetInstruction::SetComputeUnitPrice` (tag 3). */
function unitPrice(microLamports: bigint): Uint8Array {
  const data = Buffer.alloc(9, 3);
  data.writeBigUInt64LE(microLamports, 1);
  return data;
}

/** Compiles a version 1 message without instructions, using kit. Returns the message in base64. */
function versionOneMessage(payer: Address, lifetime: string, priorityFee: bigint): string {
  const message = compileTransactionMessage(
    pipe(
      createTransactionMessage({ version: 1 }),
      (empty) => setTransactionMessageFeePayer(kitAddress(payer), empty),
      (paid) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: lifetime as Blockhash, lastValidBlockHeight: 1n },
          paid,
        ),
      (living) => setTransactionMessageComputeUnitLimit(6_000, living),
      (limited) => setTransactionMessagePriorityFeeLamports(priorityFee, limited),
    ),
  );
  return Buffer.from(getCompiledTransactionMessageEncoder().encode(message)).toString('base64');
}
