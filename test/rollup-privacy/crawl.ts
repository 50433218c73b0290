import type { Keypair } from '../../src/ledger/keypair.ts';
import { buildTransaction } from '../../src/ledger/testing/test-ledger.ts';
import {
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  EPHEMERAL_VAULT,
  MAGIC_CONTEXT,
  MAGIC_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/programs/addresses.ts';
import { deriveMagicFeeVault } from '../../src/programs/delegation/pdas.ts';
import { deriveGroupReceipt } from '../../src/programs/ephemeral-token/pdas.ts';
import { addMemo } from '../../src/programs/memo.ts';
import { derivePermission } from '../../src/programs/permission/state.ts';
import { transferLamports } from '../../src/programs/system.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import { ROLLUP_BOOKS } from '../../src/rollup/books/item.ts';
import { AT_ONCE } from '../../src/rollup/testing/layout-b-scene.ts';
import { PUBSUB_LIMITS } from '../../src/rpc/pubsub/limits.ts';
import type { Address } from '../../src/solana/address.ts';
import { encodeBase58 } from '../../src/solana/base58.ts';
import { type Instruction, readonly, writable } from '../../src/solana/instruction.ts';
import { PLAIN } from './method-cases.ts';
import { GROUP_ID, type NetworkWorld } from './network-world.ts';
import { IS_LONG } from '../length.ts';

/** A stranger's question: a method, its parameters, and its name in the result (default: the parameters). */
type Question = readonly [method: string, params: readonly unknown[], name?: string];

/** Maximum number of parallel questions. */
const AT_ONCE_MAX = 16;

const BASE64 = { encoding: 'base64' };
const PARSED = { encoding: 'jsonParsed' };
/** Covers every account except the Magic context of 5 MB, which each stranger reads in full once. */
const START = { dataSlice: { offset: 0, length: 65_536 } };
/**
 * Sizes of the accounts of payments, in bytes: eATAs, token accounts, queues, receipts and permissions.
 */
const SIZES = [72, 101, 104, 165, 264, 9_696];
/** The offsets at which a program's accounts contain a wallet, a mint or a queue. */
const NAMED_AT = [
  ...[0, 8, 32, 40].map((offset) => [EPHEMERAL_TOKEN_PROGRAM, offset] as const),
  [PERMISSION_PROGRAM, 2],
  [DELEGATION_PROGRAM, 40],
] as const;
/** Number of slots that are all requested. Of later slots, only those with transactions are requested. */
const SLOTS_MAX = 12;

const PROGRAMS = [
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  MAGIC_PROGRAM,
  PERMISSION_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
];

/** Returns every address that could be related to a payment of this world. */
export function addressesOf({ scene, wallets, others }: NetworkWorld): readonly Address[] {
  const { queue, vault, mint, validator } = scene;
  const owners = [...Object.values(wallets).map(({ address }) => address), queue, vault];
  const receipts = Object.values(wallets).map(
    ({ address }) => deriveGroupReceipt(queue, address, GROUP_ID).address,
  );
  const eatas = owners.map((owner) => scene.eataOf(owner));
  return [
    ...owners,
    ...owners.map((owner) => scene.ataOf(owner)),
    ...eatas,
    ...[...eatas, ...receipts, queue].map((account) => derivePermission(account).address),
    ...receipts,
    mint,
    validator.address,
    deriveMagicFeeVault(validator.address).address,
    EPHEMERAL_VAULT,
    MAGIC_CONTEXT,
    ROLLUP_BOOKS,
    ...others,
    ...PROGRAMS,
  ];
}

/**
 * Collects all answers to strangers by question: about every address, every block from a slot on, and their
 * own transactions that probe for private data.
 */
export async function crawl(world: NetworkWorld, fromSlot: number): Promise<ReadonlyMap<string, string>> {
  const questions = [
    ...PLAIN.map((method): Question => [method, []]),
    ...addressesOf(world).flatMap(questionsAbout),
    ...PROGRAMS.flatMap(questionsAboutProgram),
    ...questionsByContent(world),
    ...questionsAboutBlocks(world, fromSlot),
    ...questionsOfAll(world),
    ...probesOf(world),
  ];
  return await ask(world, questions);
}

/** Returns the answers to two strangers, by stranger and question. */
async function ask(
  world: NetworkWorld,
  questions: readonly Question[],
): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  for (const who of ['nobody', 'sam'] as const) {
    // In the short form Sam, who has an account, asks only a third of the questions with parameters.
    const own = questions.filter(
      ([, params], index) => IS_LONG || who === 'nobody' || params.length === 0 || index % 3 === 0,
    );
    for (let at = 0; at < own.length; at += AT_ONCE_MAX) {
      const some = own.slice(at, at + AT_ONCE_MAX);
      const answers = await Promise.all(some.map(([method, params]) => world.exchange(who, method, params)));
      for (const [index, [method, params, name = JSON.stringify(params)]] of some.entries()) {
        told.set(`${who}: ${method} ${name}`, answers[index] as string);
      }
    }
  }
  return told;
}

function questionsAbout(address: Address): Question[] {
  return [
    ['getAccountInfo', [address, BASE64]],
    ['getAccountInfo', [address, { ...PARSED, ...START }]],
    ['getBalance', [address]],
    ['getBlockhashForAccounts', [[address]]],
    ['getDelegationStatus', [address]],
    ['getSignaturesForAddress', [address]],
    ['getTokenAccountBalance', [address]],
    ...[TOKEN_PROGRAM, TOKEN_2022_PROGRAM].flatMap((programId): Question[] => [
      ['getTokenAccountsByOwner', [address, { programId }, BASE64]],
      ['getTokenAccountsByDelegate', [address, { programId }, PARSED]],
    ]),
    ['getRecentPrioritizationFees', [[address]]],
  ];
}

const questionsAboutProgram = (program: Address): Question[] => [
  ['getProgramAccounts', [program, { ...BASE64, ...START }]],
  ['getProgramAccounts', [program, { ...PARSED, ...START }]],
  ...SIZES.map((dataSize): Question => [
    'getProgramAccounts',
    [program, { ...BASE64, filters: [{ dataSize }] }],
  ]),
];

/** Returns searches for a wallet, a mint or a queue at the offsets of token accounts and receipts. */
function questionsByContent({ scene, wallets }: NetworkWorld): Question[] {
  const named = [...Object.values(wallets).map(({ address }) => address), scene.queue, scene.mint];
  const places = [...NAMED_AT, ...[0, 32].map((offset) => [scene.tokenProgram, offset] as const)];
  return named.flatMap((bytes) =>
    places.map(([program, offset]): Question => [
      'getProgramAccounts',
      [program, { ...BASE64, filters: [{ memcmp: { offset, bytes } }] }],
    ]),
  );
}

/** Returns the answers to strangers about transactions whose signatures they know, in order. */
export async function crawlSignatures(
  world: NetworkWorld,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const told = new Map<string, string>();
  const questions = signatures.flatMap((signature, index): Question[] => [
    ...['json', 'base64'].map((encoding): Question => [
      'getTransaction',
      [signature, { encoding, maxSupportedTransactionVersion: 0 }],
      `${index} as ${encoding}`,
    ]),
    ['getSignatureStatuses', [[signature], { searchTransactionHistory: true }], `${index}`],
    ['getSignaturesForAddress', [world.wallets.sam.address, { before: signature }], `before ${index}`],
    ['getSignaturesForAddress', [world.scene.queue, { until: signature }], `until ${index}`],
  ]);
  for (const who of ['nobody', 'sam'] as const) {
    for (const [method, params, name] of questions) {
      // Some answers contain the signature, whose text varies in length.
      const answer = await world.call(who, method, params);
      const hidden = signatures.reduce(
        (text, each, index) => text.replaceAll(each, `(hidden ${index})`),
        answer,
      );
      told.set(`${who}: ${method} ${name}`, hidden);
    }
    const client = await world.connect(who);
    for (const [index, signature] of signatures.entries()) {
      const id = await client.subscribe('signatureSubscribe', signature);
      world.timer.pass(PUBSUB_LIMITS.pastDelayMs);
      const { result } = await client.notified();
      told.set(`${who}: signatureSubscribe ${index}`, JSON.stringify([id > 0, result]));
    }
  }
  return told;
}

function questionsAboutBlocks({ scene }: NetworkWorld, fromSlot: number): Question[] {
  const { slot } = scene.rollup.head();
  const slots = Array.from({ length: slot - fromSlot + 1 }, (_, index) => fromSlot + index).filter(
    (each) => each - fromSlot < SLOTS_MAX || (scene.rollup.block(each)?.transactions.length ?? 0) > 0,
  );
  const encodings = ['json', 'jsonParsed', 'base64', 'base58'];
  return [
    ['getBlocks', [fromSlot, slot]],
    ['getBlocksWithLimit', [fromSlot, 500]],
    ...slots.flatMap((each): Question[] => [
      ...encodings.map((encoding): Question => [
        'getBlock',
        [each, { encoding, maxSupportedTransactionVersion: 0 }],
      ]),
      ['getBlock', [each, { transactionDetails: 'accounts', rewards: true }]],
      ['getBlock', [each, { transactionDetails: 'signatures' }]],
      ['getBlockTime', [each]],
      ['getBlockCommitment', [each]],
    ]),
  ];
}

function questionsOfAll(world: NetworkWorld): Question[] {
  const { mint } = world.scene;
  const addresses = addressesOf(world);
  return [
    ['getMultipleAccounts', [addresses, { ...BASE64, ...START }]],
    ['getMultipleAccounts', [addresses, { ...PARSED, ...START }]],
    ['getLargestAccounts', []],
    ['getSupply', []],
    ['getTokenSupply', [mint]],
    ['getTokenLargestAccounts', [mint]],
    ['getTokenAccountsByOwner', [world.wallets.alice.address, { mint }, PARSED]],
  ];
}

/** Simulations by Sam whose result, cost or logs could depend on private payments. */
function probesOf(world: NetworkWorld): Question[] {
  const { scene, wallets } = world;
  const { sam, alice, dave, bob } = wallets;
  const accounts = [scene.queue, scene.ataOf(scene.queue), ...receiptsOf(world)];
  return probeInstructions(world).flatMap((instruction, index): Question[] => {
    const { wire } = buildTransaction(scene.rollup, [sam], [instruction]);
    const text = Buffer.from(wire).toString('base64');
    const shown = { addresses: [...accounts, ...[alice, dave, bob].map((each) => each.address)], ...BASE64 };
    const config = { ...BASE64, innerInstructions: true, accounts: shown };
    return [
      ['simulateTransaction', [text, config], `probe ${index}`],
      [
        'simulateTransaction',
        [text, { ...config, replaceRecentBlockhash: true }],
        `probe ${index} with another blockhash`,
      ],
    ];
  });
}

/** Sends Sam's probing transactions. Returns the answers to strangers about them. */
export async function sendProbes(world: NetworkWorld): Promise<ReadonlyMap<string, string>> {
  const { scene, wallets } = world;
  const { slot } = scene.rollup.head();
  const told = new Map<string, string>();
  const probes = probeInstructions(world).filter(({ data }) => data[0] !== QUEUE_TRANSFER);
  for (const [index, instruction] of probes.entries()) {
    const { wire } = buildTransaction(scene.rollup, [wallets.sam], [instruction, addMemo('sent')]);
    const text = Buffer.from(wire).toString('base64');
    for (const skipPreflight of [false, true]) {
      const config = { ...BASE64, skipPreflight };
      told.set(
        `sam: sendTransaction probe ${index}${skipPreflight ? ' without preflight' : ''}`,
        await world.exchange('sam', 'sendTransaction', [text, config]),
      );
    }
  }
  await world.pass(scene.rollup.slotMs);
  const histories = addressesOf(world).map((address): Question => ['getSignaturesForAddress', [address]]);
  const unknown = { before: encodeBase58(new Uint8Array(64).fill(9)) };
  const bounded = receiptsOf(world).map((each): Question => ['getSignaturesForAddress', [each, unknown]]);
  const blocks: Question[] = [['getBlock', [slot, { encoding: 'json', maxSupportedTransactionVersion: 0 }]]];
  const found = await ask(world, [...histories, ...bounded, ...blocks]);
  return new Map([
    ...told,
    ...Array.from(found, ([what, answer]) => [`${what} afterwards`, answer] as const),
  ]);
}

const QUEUE_TRANSFER = 16;
const TICK = 203;

function receiptsOf({ scene, wallets }: NetworkWorld): Address[] {
  return [wallets.alice, wallets.dave, wallets.sam].map(
    ({ address }) => deriveGroupReceipt(scene.queue, address, GROUP_ID).address,
  );
}

function probeInstructions(world: NetworkWorld): Instruction[] {
  const { scene, wallets } = world;
  const { sam, carol } = wallets;
  const queueAta = scene.ataOf(scene.queue);
  const paidAfter = (ms: bigint): Instruction =>
    scene.queueTransfer(sam, carol.address, 5n, {
      groupId: GROUP_ID,
      terms: { ...AT_ONCE, minDelayMs: ms, maxDelayMs: ms },
    });
  const own = paidAfter(0n);
  const tick = { programId: EPHEMERAL_TOKEN_PROGRAM, data: Uint8Array.of(TICK) };
  return [
    ...[0n, 30_000n, 60_000n, 90_000n].map(paidAfter),
    ...[queueAta, scene.ataOf(wallets.alice.address)].flatMap((source) =>
      [1n, 2_000_000n, 9_000_000n].map((amount) =>
        spending(scene.queueTransfer(sam, carol.address, amount), sam, source),
      ),
    ),
    scene.ensureCrank(sam),
    naming(readonly(scene.queue)),
    naming(readonly(queueAta)),
    ...receiptsOf(world).flatMap((receipt) => [
      naming(readonly(receipt)),
      naming(readonly(derivePermission(receipt).address)),
      transferLamports(sam.address, receipt, 1n),
      replacing(own, receiptsOf(world)[2] as Address, receipt),
    ]),
    ...[1n, 2_000_000n, 9_000_000n].map((amount) =>
      transferTokens(
        TOKEN_PROGRAM,
        { source: queueAta, destination: scene.ataOf(sam.address), authority: sam.address },
        amount,
      ),
    ),
    transferTokens(
      TOKEN_PROGRAM,
      { source: scene.ataOf(sam.address), destination: queueAta, authority: sam.address },
      1n,
    ),
    { ...tick, accounts: [writable(scene.queue), readonly(MAGIC_PROGRAM)] },
  ];

  function spending(payment: Instruction, { address }: Keypair, source: Address): Instruction {
    return replacing(payment, scene.ataOf(address), source);
  }
}

/** Creates an instruction that does nothing with the account it names. */
const naming = (account: Instruction['accounts'][number]): Instruction => ({
  programId: SYSTEM_PROGRAM,
  accounts: [account],
  data: Uint8Array.of(9, 9, 9, 9),
});

const replacing = (instruction: Instruction, from: Address, to: Address): Instruction => ({
  ...instruction,
  accounts: instruction.accounts.map((each) => (each.address === from ? { ...each, address: to } : each)),
});

/** Subscribes to everything as strangers. The returned function collects their notifications. */
export async function listen(world: NetworkWorld): Promise<() => Promise<ReadonlyMap<string, string>>> {
  const subscriptions: Question[] = [
    ...addressesOf(world).flatMap((address): Question[] => [
      ['accountSubscribe', [address, BASE64]],
      ['logsSubscribe', [{ mentions: [address] }]],
    ]),
    ...PROGRAMS.flatMap((program): Question[] => [
      ['programSubscribe', [program, BASE64]],
      ['programSubscribe', [program, { ...BASE64, filters: [{ dataSize: 104 }] }]],
    ]),
    ['logsSubscribe', ['all']],
    ['slotSubscribe', []],
    ['rootSubscribe', []],
    ['slotsUpdatesSubscribe', []],
    ['blockSubscribe', ['all', { encoding: 'base64', maxSupportedTransactionVersion: 0 }]],
    ...['alice', 'sam', 'bob'].map((name): Question => {
      const mentionsAccountOrProgram = world.wallets[name as 'alice'].address;
      return ['blockSubscribe', [{ mentionsAccountOrProgram }, BASE64]];
    }),
  ];
  const clients = await Promise.all(
    (['nobody', 'sam'] as const).map(async (who) => {
      const client = await world.connect(who);
      const names = new Map<number, string>();
      for (const [method, params] of subscriptions) {
        const id = await client.subscribe(method, ...params);
        names.set(id, `${who}: ${method} ${JSON.stringify(params)}`);
      }
      return { client, names };
    }),
  );
  return async () => {
    const told = new Map<string, string>();
    for (const { client, names } of clients) {
      for (const name of names.values()) told.set(name, '');
      client.send('{"jsonrpc":"2.0","id":"end","method":"getVersion"}');
      for (
        let message = await client.next();
        !message.includes('"id":"end"');
        message = await client.next()
      ) {
        const name = names.get(JSON.parse(message).params.subscription) ?? 'nothing that was subscribed to';
        told.set(name, `${told.get(name) ?? ''}${message}\n`);
      }
    }
    return told;
  };
}
