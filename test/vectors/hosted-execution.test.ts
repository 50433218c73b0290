import { afterAll, describe, expect, it } from 'vitest';
import { mintAccount } from '../../src/ledger/genesis/genesis.ts';
import { Keypair } from '../../src/ledger/keypair.ts';
import { tokenAccount } from '../../src/ledger/testing/make-account.ts';
import type { TransactionError } from '../../src/ledger/transaction-errors.ts';
import { EPHEMERAL_TOKEN_PROGRAM, NATIVE_MINT, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../src/programs/associated-token.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../src/programs/delegation/pdas.ts';
import { deriveEata, deriveTransferQueue, deriveVault } from '../../src/programs/ephemeral-token/pdas.ts';
import { deriveStealthPool } from '../../src/programs/ephemeral-token/stealth-pool.ts';
import { EATA_TABLE } from '../../src/programs/ephemeral-token/table/eata.ts';
import { QUEUE_TABLE, STEALTH_TABLE } from '../../src/programs/ephemeral-token/table/queue.ts';
import { encode } from '../../src/programs/instruction-table/encode.ts';
import { derivePermission } from '../../src/programs/permission/state.ts';
import { transferLamports } from '../../src/programs/system.ts';
import { syncNative } from '../../src/programs/token/instructions.ts';
import { CrashStores } from '../../src/rollup/testing/crash-stores.ts';
import { LAYOUT_B_FOLDER, NO_LAYOUT_B } from '../../src/rollup/testing/layout-b-genesis.ts';
import { type LayoutBScene, openLayoutBScene } from '../../src/rollup/testing/layout-b-scene.ts';
import { type Address, isAddress } from '../../src/solana/address.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../src/solana/message.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';

import vectors from './layout-b.json' with { type: 'json' };

/*
 * Goal: the programs execute the transactions that the hosted API builds for them.
 * Method: the state that each case assumes is created on a ledger, without signatures, and the bytes of the
 * case are executed there.
 */

interface HostedInput {
  readonly owner?: Address;
  readonly from?: Address;
  readonly payer?: Address;
  readonly to?: Address;
  readonly mint?: Address;
  readonly tokenProgram?: Address;
  readonly validator?: Address;
  /** Hex of the seed of the validator's key. */
  readonly validatorSeed?: string;
  readonly payerValidator?: Address;
  readonly platformFeeAccount?: Address;
  readonly handle?: string;
  readonly initIfMissing?: boolean;
  readonly idempotent?: boolean;
  readonly wrapped?: string;
  readonly visibility?: string;
  readonly fromBalance?: string;
  readonly toBalance?: string;
}

interface Hosted {
  readonly id: string;
  readonly level: string;
  readonly op: string;
  readonly input: HostedInput;
  readonly expect: {
    readonly transaction?: string | null;
    readonly sendTo?: 'base' | 'ephemeral';
    readonly requiredSigners?: readonly Address[];
  };
}

const HOSTED = (vectors.cases as unknown as Hosted[]).filter(({ level }) => level === 'hosted');

const delegationOf = (account: Address) => ({
  buffer: deriveDelegateBuffer(account, EPHEMERAL_TOKEN_PROGRAM).address,
  record: deriveDelegationRecord(account).address,
  metadata: deriveDelegationMetadata(account).address,
});

/**
 * Ledgers on which cases are run: one for each token program, as some take USDC for a mint of Token-2022, one
 * on which no mint has been made ready, and one for each validator whose rollup a case is for.
 */
const scenes = new Map<string, LayoutBScene>();

async function sceneFor(kind: string, validator?: Keypair): Promise<LayoutBScene> {
  const known = scenes.get(kind);
  if (known !== undefined) return known;
  const scene = await openLayoutBScene(new CrashStores().open(), validator && { validator });
  scenes.set(kind, scene);
  return scene;
}

/** A validator by its address alone: what it signs is worth nothing, and nothing is settled by it. */
class NamedValidator extends Keypair {
  override readonly address: Address;

  constructor(address: Address) {
    super(new Uint8Array(32));
    this.address = address;
  }
}

/** The ledger of a case: the rollup of the validator that it names, if it is for that rollup. */
function placeOf({ op, input, expect: expected }: Hosted): Promise<LayoutBScene> {
  const { tokenProgram = TOKEN_PROGRAM, validatorSeed, payerValidator, validator = payerValidator } = input;
  if (expected.sendTo === 'ephemeral' && validator !== undefined) {
    const key = validatorSeed
      ? new Keypair(Buffer.from(validatorSeed, 'hex'))
      : new NamedValidator(validator);
    return sceneFor(`${tokenProgram} of ${validator}`, key);
  }
  return sceneFor(op === 'initializeMint' || op === 'stealthPool.update' ? op : tokenProgram);
}

/** Runs instructions on base as if everybody had signed them. */
async function arrange(scene: LayoutBScene, feePayer: Address, instructions: Instruction[]): Promise<void> {
  const blockhash = decodeBase58(scene.base.head().blockhash);
  const wire = encodeUnsignedTransaction(compileLegacyMessage({ feePayer, blockhash, instructions }));
  const err = await execute(scene, wire);
  if (err !== null) throw new Error(`the state of a case could not be made: ${JSON.stringify(err)}`);
}

/** Lands a transaction on base whatever its signatures and its blockhash are; its error, or null. */
async function execute({ base }: LayoutBScene, wire: Uint8Array): Promise<TransactionError | null> {
  const { err, written } = base.perform(decodeTransaction(wire), { first: [], also: [], logs: [] });
  await written;
  return err;
}

/** Makes what a case takes for granted: wallets with SOL and tokens, and what there is of its mint. */
async function prepare(hosted: Hosted): Promise<LayoutBScene> {
  const { op, input, expect: expected } = hosted;
  const { mint, tokenProgram = TOKEN_PROGRAM, to, platformFeeAccount } = input;
  const owner = input.owner ?? input.from ?? input.payer;
  if (owner === undefined) throw new Error('a case without a wallet');
  const scene = await placeOf(hosted);
  const { base } = scene;
  for (const wallet of [...(expected.requiredSigners ?? []), owner])
    await base.airdrop(wallet, 10_000_000_000n);
  if (op === 'stealthPool.update' && input.handle !== undefined) {
    await makePool(scene, owner, input.handle);
    return scene;
  }
  if (mint === undefined) return scene;
  if (base.getAccount(mint)?.owner !== tokenProgram) {
    await base.setAccounts([[mint, { ...mintAccount(null, 6), owner: tokenProgram }]]);
  }
  const ataOf = (wallet: Address): Address => deriveAta(wallet, mint, tokenProgram).address;
  const ata = (wallet: Address) =>
    createAtaIdempotent({ payer: owner, ata: ataOf(wallet), owner: wallet, mint, tokenProgram });
  if (op !== 'initializeMint') await prepareMint(scene, owner, mint, tokenProgram);
  if (mint === NATIVE_MINT) {
    const lamports = BigInt(input.wrapped ?? '2000000');
    await arrange(scene, owner, [
      ata(owner),
      transferLamports(owner, ataOf(owner), lamports),
      syncNative(tokenProgram, ataOf(owner)),
    ]);
  } else {
    const account = tokenAccount({ mint, owner }, 100_000_000n, { program: tokenProgram });
    await base.setAccounts([[ataOf(owner), account]]);
  }
  const [feePayer] = expected.requiredSigners ?? [];
  for (const payee of [to, feePayer]) {
    if (payee !== undefined && isAddress(payee)) await arrange(scene, owner, [ata(payee)]);
  }
  if (platformFeeAccount !== undefined) {
    await base.setAccounts([[platformFeeAccount, tokenAccount({ mint, owner: platformFeeAccount }, 0n)]]);
  }
  const place = { payer: owner, mint, tokenProgram, validator: input.validator ?? scene.validator.address };
  if (
    op === 'withdraw' ||
    (op === 'deposit' && input.initIfMissing === false) ||
    expected.sendTo === 'ephemeral'
  ) {
    // What has no shuttle is for eATAs that are not delegated.
    const isDelegated = input.idempotent !== false;
    const validator = expected.sendTo === 'ephemeral' ? scene.validator.address : place.validator;
    await makeEata(
      scene,
      owner,
      { ...place, validator },
      { amount: op === 'deposit' ? 0n : 2_000_000n, isDelegated },
    );
  }
  if (op === 'transfer' && input.toBalance === 'ephemeral' && to !== undefined) {
    const validator = expected.sendTo === 'ephemeral' ? scene.validator.address : place.validator;
    await makeEata(scene, to, { ...place, validator }, { amount: 0n, isDelegated: true });
  }
  const isQueued =
    op === 'ensureTransferQueueCrank' ||
    (op.startsWith('transfer') && (input.visibility ?? 'private') === 'private');
  if (isQueued && (input.toBalance ?? 'base') === 'base' && input.validator !== undefined) {
    await prepareQueue(scene, owner, mint, input.validator, tokenProgram);
  }
  return scene;
}

async function prepareMint(
  scene: LayoutBScene,
  payer: Address,
  mint: Address,
  tokenProgram: Address,
): Promise<void> {
  const vault = deriveVault(mint).address;
  if (scene.base.getAccount(vault) !== null) return;
  const vaultAta = deriveAta(vault, mint, tokenProgram).address;
  const vaultEata = deriveEata(vault, mint).address;
  await arrange(scene, payer, [
    encode(EATA_TABLE.initVault, { vault, payer, mint, vaultEata, vaultAta, tokenProgram }),
    createAtaIdempotent({ payer, ata: vaultAta, owner: vault, mint, tokenProgram }),
    encode(
      EATA_TABLE.delegateEata,
      { payer, eata: vaultEata, delegation: delegationOf(vaultEata) },
      { validator: scene.validator.address },
    ),
  ]);
}

async function prepareQueue(
  scene: LayoutBScene,
  payer: Address,
  mint: Address,
  validator: Address,
  tokenProgram: Address,
): Promise<void> {
  const queue = deriveTransferQueue(mint, validator).address;
  const queueEata = deriveEata(queue, mint).address;
  await arrange(scene, payer, [
    encode(
      QUEUE_TABLE.initTransferQueue,
      {
        payer,
        queue,
        queuePermission: derivePermission(queue).address,
        mint,
        validator,
        queueEata,
        queueAta: deriveAta(queue, mint, tokenProgram).address,
        tokenProgram,
        eataDelegation: delegationOf(queueEata),
      },
      { requestedItems: null },
    ),
    encode(QUEUE_TABLE.delegateTransferQueue, { payer, queue, mint, delegation: delegationOf(queue) }),
  ]);
  await scene.rollup.settled();
}

interface EataPlace {
  readonly payer: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly validator: Address;
}

/** Makes the eATA of a wallet, with tokens of the wallet's in it. */
async function makeEata(
  scene: LayoutBScene,
  owner: Address,
  { payer, mint, tokenProgram, validator }: EataPlace,
  { amount, isDelegated }: { readonly amount: bigint; readonly isDelegated: boolean },
): Promise<void> {
  const eata = deriveEata(owner, mint).address;
  const vault = deriveVault(mint).address;
  const ataOf = (wallet: Address): Address => deriveAta(wallet, mint, tokenProgram).address;
  const [ownerAta, vaultAta] = [ataOf(owner), ataOf(vault)];
  await arrange(scene, payer, [
    encode(EATA_TABLE.initEata, { eata, payer, owner, mint }),
    ...(amount === 0n
      ? []
      : [
          encode(
            EATA_TABLE.deposit,
            { eata, vault, mint, ownerAta, vaultAta, owner, tokenProgram },
            { amount },
          ),
        ]),
    ...(isDelegated
      ? [encode(EATA_TABLE.delegateEata, { payer, eata, delegation: delegationOf(eata) }, { validator })]
      : []),
  ]);
  await scene.rollup.settled();
}

/** Makes a pool without keys, delegated to the rollup at hand. */
async function makePool(scene: LayoutBScene, payer: Address, handle: string): Promise<void> {
  const pool = deriveStealthPool(handle).address;
  const accounts = { payer, pool, authority: payer, permission: derivePermission(pool).address };
  await arrange(scene, payer, [
    encode(
      STEALTH_TABLE.delegateStealthPool,
      { ...accounts, delegation: delegationOf(pool) },
      { handle, validator: scene.validator.address },
    ),
  ]);
  await scene.rollup.settled();
}

/** Cases that no rollup can execute unchanged, or not in the state created here. */
const REFUSED: Readonly<Record<string, { readonly error: TransactionError; readonly why: string }>> = {
  'b-pub-0045': {
    error: 'InvalidWritableAccount',
    why: "it makes a transfer queue, which is base's, on the rollup",
  },
  'b-pub-0052': {
    // TooManyAccountKeys of the program.
    error: { InstructionError: [0, { Custom: 6 }] },
    why: 'it is for a wallet that is itself delegated',
  },
};

/** The outcome of a case: executed, or the reason why not. */
async function outcomeOf(hosted: Hosted): Promise<string> {
  const { expect: expected } = hosted;
  const transaction = expected.transaction ?? null;
  if (transaction === null) return 'not built: the API refuses it';
  const isForRollup = expected.sendTo === 'ephemeral';
  const scene = await prepare(hosted);
  const wire = Buffer.from(transaction, 'base64');
  if (!isForRollup) {
    const err = await execute(scene, wire);
    return err === null ? 'executed on base' : `failed: ${JSON.stringify(err)}`;
  }
  const options = { verifySignatures: false, replaceBlockhash: true };
  const { err } = scene.rollup.simulate(decodeTransaction(wire), options);
  if (err === null) return 'executed on the rollup';
  const { error, why } = REFUSED[hosted.id] ?? {};
  return JSON.stringify(err) === JSON.stringify(error) ? `refused: ${why}` : `failed: ${JSON.stringify(err)}`;
}

afterAll(async () => {
  for (const scene of scenes.values()) await scene.close();
});

describe.skipIf(LAYOUT_B_FOLDER === null)(`the transactions of the hosted API (${NO_LAYOUT_B})`, () => {
  it('are executed by the programs of the networks', async () => {
    const outcomes = new Map<string, string[]>();
    for (const hosted of HOSTED) {
      const outcome = await outcomeOf(hosted).catch((error: Error) => error.message);
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), `${hosted.op} ${hosted.id}`]);
    }
    const counts = Object.fromEntries([...outcomes].map(([outcome, ids]) => [outcome, ids.length]));
    // test/README.md has the same numbers.
    expect(counts, JSON.stringify([...outcomes], null, 1)).toEqual({
      'executed on base': 42,
      'executed on the rollup': 9,
      "refused: it makes a transfer queue, which is base's, on the rollup": 1,
      'refused: it is for a wallet that is itself delegated': 1,
      'not built: the API refuses it': 6,
    });
  });
});
