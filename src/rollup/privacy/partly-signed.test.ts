import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lengthOf } from '../../../test/length.ts';
import { LiteSvmEngine } from '../../ledger/engine/litesvm-engine.ts';
import { Keypair } from '../../ledger/keypair.ts';
import { type SimulateOptions, type Simulation, TransactionRejected } from '../../ledger/ledger.ts';
import { GONE } from '../../ledger/run/account-states.ts';
import { advanceNonce } from '../../ledger/testing/instructions.ts';
import { lookupTable } from '../../ledger/testing/lookup-table.ts';
import { accountOf, tokenAccount } from '../../ledger/testing/make-account.ts';
import { nonceAccount } from '../../ledger/testing/nonce-account.ts';
import { SeededRandom } from '../../ledger/testing/seeded-random.ts';
import { version1Of } from '../../ledger/testing/version-1.ts';
import { EPHEMERAL_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { addMemo } from '../../programs/memo.ts';
import { MEMBER_FLAG } from '../../programs/permission/state.ts';
import { transferTokens } from '../../programs/token/instructions.ts';
import { decodeTokenAccount } from '../../programs/token/state.ts';
import { TOKEN_TABLE } from '../../programs/token/table.ts';
import { type Address, addressBytes, addressOf } from '../../solana/address.ts';
import { decodeBase58, encodeBase58 } from '../../solana/base58.ts';
import { type Instruction, readonly, signer } from '../../solana/instruction.ts';
import { compileLegacyMessage, encodeUnsignedTransaction } from '../../solana/message.ts';
import { decodeTransaction, messageOf, type Transaction } from '../../solana/transaction.ts';
import { itemEntry } from '../books/item.ts';
import { EPHEMERAL } from '../books/items.ts';
import { validSigners } from './private-runs.ts';
import {
  ALICE_AMOUNT,
  type Holder,
  MINT,
  openPrivateRollup,
  type PrivateRollup,
} from './testing/private-rollup.ts';

/*
 * Goal: a simulation without `sigVerify` runs on what its valid signers have signed, such as an x402 payment
 * that its sponsor has not signed yet, and reveals nothing of anyone else.
 */

const sponsor = new Keypair(new Uint8Array(32).fill(61));
const TABLE = addressOf(new Uint8Array(32).fill(62));
const PLAIN = { verifySignatures: false, replaceBlockhash: false };
const REPLACING = { ...PLAIN, replaceBlockhash: true };

let scene: PrivateRollup;
beforeEach(async () => {
  scene = await openPrivateRollup();
  const { alice, bob, rollup } = scene;
  await rollup.setAccounts([[TABLE, lookupTable([alice.ata, bob.ata])]]);
});
afterEach(() => scene.close());

const blockhash = (): Uint8Array => decodeBase58(scene.rollup.head().blockhash);

const pay = (source: Holder, destination: Holder, amount: bigint): Instruction =>
  transferTokens(
    TOKEN_PROGRAM,
    { source: source.ata, destination: destination.ata, authority: source.address },
    amount,
  );

/** Builds an unsigned transaction that `sponsor` pays for. */
const build = (...instructions: Instruction[]): Transaction => {
  const source = { feePayer: sponsor.address, blockhash: blockhash(), instructions };
  return decodeTransaction(encodeUnsignedTransaction(compileLegacyMessage(source)));
};

/** Returns the transaction with the signature of `by` over `message` in the slot of `of`. */
function sign(
  transaction: Transaction,
  by: Keypair,
  { of = by.address, message = messageOf(transaction) } = {},
): Transaction {
  const wire = Uint8Array.from(transaction.wire);
  const slot = transaction.staticKeys.indexOf(of);
  wire.set(by.sign(message), transaction.signaturesAt + 64 * slot);
  return decodeTransaction(wire);
}

/** Returns the transaction with one byte changed, and the signatures of the original. */
function alter(transaction: Transaction, at: number): Transaction {
  const wire = Uint8Array.from(transaction.wire);
  wire[at] = (wire[at] as number) ^ 1;
  return decodeTransaction(wire);
}

/** Alice's payment to Bob in every version, unsigned. Its fee payer is the sponsor. */
const VERSIONS: Readonly<Record<string, () => Transaction>> = {
  legacy: () => build(pay(scene.alice, scene.bob, 5n)),
  'version 0': () => {
    const { bytes, signers } = compileLegacyMessage({
      feePayer: sponsor.address,
      blockhash: blockhash(),
      instructions: [pay(scene.alice, scene.bob, 5n)],
    });
    return decodeTransaction(
      encodeUnsignedTransaction({ bytes: Buffer.concat([Buffer.of(0x80), bytes, Buffer.of(0)]), signers }),
    );
  },
  'version 0 with a lookup table': () => loadingBoth([0, 1]),
  'version 1': () =>
    decodeTransaction(
      version1Of({
        feePayer: sponsor.address,
        blockhash: scene.rollup.head().blockhash,
        instructions: [pay(scene.alice, scene.bob, 5n)],
      }),
    ),
};

/** A payment by Alice from the third loaded account to the fourth. */
function loadingBoth(indices: readonly number[]): Transaction {
  const { alice, bob } = scene;
  const { data } = pay(alice, bob, 5n);
  const bytes = Buffer.concat([
    Buffer.of(0x80, 2, 1, 1, 3),
    ...[sponsor.address, alice.address, TOKEN_PROGRAM].map(addressBytes),
    blockhash(),
    Buffer.of(1, 2, 3, 3, 4, 1, data.length),
    data,
    Buffer.of(1),
    addressBytes(TABLE),
    Buffer.of(indices.length, ...indices, 0),
  ]);
  return decodeTransaction(encodeUnsignedTransaction({ bytes, signers: [sponsor.address, alice.address] }));
}

/** Everything a simulation shows of itself and of these accounts. */
function shown(run: Simulation): string {
  const { alice, bob, sam } = scene;
  const addresses = [alice, bob, sam].flatMap(({ address, ata, eata }) => [address, ata, eata]);
  const after = [...addresses, receiptOf(0), receiptOf(1)].map((each) => run.accountAfter(each));
  return JSON.stringify([run, after], (_, each: unknown) => {
    if (typeof each === 'bigint') return `${each}`;
    return each instanceof Uint8Array ? encodeBase58(each) : each;
  });
}

const simulate = (transaction: Transaction, options: SimulateOptions, reader: Address | null = null) =>
  scene.views.viewFor(reader).simulate(transaction, options);

const receiptOf = (index: number): Address => addressOf(new Uint8Array(32).fill(70 + index));

describe.each(Object.keys(VERSIONS))('a payment that a sponsor pays for, as %s', (version) => {
  const unsigned = () => (VERSIONS[version] as () => Transaction)();
  const signed = () => sign(unsigned(), scene.alice.wallet);

  it('is simulated once its payer has signed, whatever is in the sponsor’s slot', () => {
    const { alice, bob } = scene;
    const ofSponsor = [
      signed(),
      sign(signed(), sponsor),
      sign(signed(), sponsor, { message: Buffer.from('another message') }),
    ];
    for (const options of [PLAIN, REPLACING]) {
      const runs = ofSponsor.map((each) => simulate(each, options));
      for (const run of runs) {
        expect(run).toMatchObject({ err: null, replacementBlockhash: null });
        expect(run.logs.at(-1)).toContain('success');
        expect(run.postTokenBalances?.map(({ owner, amount }) => [owner, amount])).toEqual([
          [bob.address, 1_005n],
        ]);
        expect(run.accountAfter(alice.ata)).toBeNull();
        expect(decodeTokenAccount(run.accountAfter(bob.ata)?.data as Uint8Array)?.amount).toBe(1_005n);
      }
    }
    const ofAlice = simulate(signed(), PLAIN, alice.address).accountAfter(alice.ata);
    expect(decodeTokenAccount(ofAlice?.data as Uint8Array)?.amount).toBe(ALICE_AMOUNT - 5n);
  });

  it('is answered like one of absent accounts unless its payer has signed exactly it', async () => {
    const { alice, sam, rollup } = scene;
    const original = signed();
    const { data } = original.instructions[0] as Transaction['instructions'][number];
    const probes = [
      unsigned(),
      sign(unsigned(), sponsor),
      sign(unsigned(), alice.wallet, { message: Buffer.from('another message') }),
      sign(unsigned(), sponsor, { of: alice.address }),
      sign(unsigned(), sam.wallet, { of: alice.address }),
      sign(unsigned(), alice.wallet, { of: sponsor.address }),
      alter(original, original.signaturesAt + 64),
      alter(original, original.signaturesAt + 127),
      alter(original, original.blockhashAt),
      alter(original, data.byteOffset - original.wire.byteOffset + 1),
    ];
    const ask = () =>
      [PLAIN, REPLACING].map((options) =>
        [null, sam.address].map((reader) => probes.map((each) => shown(simulate(each, options, reader)))),
      );
    const present = ask();
    await rollup.setAccounts([alice.ata, alice.eata].map((address) => [address, GONE] as const));
    expect(ask()).toEqual(present);
    for (const each of present.flat()) expect(new Set(each).size).toBe(1);
    expect(JSON.parse(present[0]?.[0]?.[0] as string)[0]).toMatchObject({
      err: 'AccountNotFound',
      logs: [],
      computeUnits: 0,
      postTokenBalances: null,
    });
  });

  it('fails if all signatures are to be verified, as before', () => {
    expect(simulate(signed(), { ...PLAIN, verifySignatures: true }).err).toBe('SignatureFailure');
    expect(simulate(sign(signed(), sponsor), { ...PLAIN, verifySignatures: true }).err).toBeNull();
  });

  it('cannot be sent without its sponsor’s signature', async () => {
    const { landed, err } = await scene.views.viewFor(null).submit(signed());
    expect({ landed, err }).toEqual({ landed: false, err: 'SignatureFailure' });
  });

  it('is not simulated after it has landed or expired', async () => {
    const half = signed();
    await scene.views.viewFor(null).submit(sign(half, sponsor));
    expect(simulate(half, REPLACING)).toMatchObject({ err: 'AlreadyProcessed', logs: [] });
    scene.clock.pass(400 * 50);
    expect(simulate(half, REPLACING)).toMatchObject({ err: 'BlockhashNotFound', logs: [] });
  });
});

describe('a simulation that only some have signed', () => {
  it('tells the holder of a signed payment that its payer has too little', () => {
    const { alice, bob } = scene;
    const payment = sign(build(pay(alice, bob, ALICE_AMOUNT + 1n)), alice.wallet);
    expect(simulate(payment, PLAIN)).toMatchObject({ err: { InstructionError: [0, { Custom: 1 }] } });
  });

  it('does not run with a durable nonce', async () => {
    const { alice, bob, rollup } = scene;
    const [nonce, at] = [new Uint8Array(32).fill(44), addressOf(new Uint8Array(32).fill(45))];
    await rollup.setAccounts([[at, nonceAccount(alice.address, nonce)]]);
    const instructions = [advanceNonce(at, alice.address), pay(alice, bob, 5n)];
    const message = compileLegacyMessage({ feePayer: sponsor.address, blockhash: nonce, instructions });
    const payment = sign(decodeTransaction(encodeUnsignedTransaction(message)), alice.wallet);
    for (const options of [PLAIN, REPLACING]) {
      expect(simulate(payment, options)).toMatchObject({ err: 'BlockhashNotFound', logs: [] });
    }
  });

  it('needs a valid signer for each private account, whoever else is named as a signer', async () => {
    const { alice, bob, sam, permit } = scene;
    await permit(bob, [{ flags: MEMBER_FLAG.authority, address: bob.address }]);
    const witnessed = { ...addMemo('x'), accounts: [signer(bob.address), readonly(bob.ata)] };
    const theft = transferTokens(
      TOKEN_PROGRAM,
      { source: bob.ata, destination: alice.ata, authority: bob.address },
      5n,
    );
    for (const instructions of [[pay(alice, sam, 5n), pay(bob, sam, 5n)], [theft], [witnessed]]) {
      const naming = build(...instructions, { ...addMemo('y'), accounts: [signer(alice.address)] });
      const ofAlice = sign(naming, alice.wallet);
      expect(simulate(ofAlice, PLAIN)).toMatchObject({ err: 'AccountNotFound', logs: [], computeUnits: 0 });
      expect(simulate(sign(ofAlice, bob.wallet), PLAIN).computeUnits).toBeGreaterThan(0);
    }
  });

  it('hides the rollup-only accounts of those who have not signed', async () => {
    const { alice, bob, guards, rollup } = scene;
    const [receipt, unused] = [receiptOf(0), receiptOf(1)];
    const known = { address: receipt, sponsor: bob.address, program: EPHEMERAL_TOKEN_PROGRAM };
    guards.noteAccount(...itemEntry(EPHEMERAL, { ...known, reader: bob.address }));
    await rollup.setAccounts([[receipt, accountOf(EPHEMERAL_TOKEN_PROGRAM, new Uint8Array(104))]]);
    const probe = (address: Address) => {
      const witnessed = { ...addMemo('x'), accounts: [signer(bob.address)] };
      const naming = {
        programId: SYSTEM_PROGRAM,
        accounts: [signer(bob.address), readonly(address)],
        data: Uint8Array.of(9, 9, 9, 9),
      };
      return sign(build(pay(alice, bob, 5n), witnessed, naming), alice.wallet);
    };
    const cost = (transaction: Transaction) => {
      const { err, logs, computeUnits, loadedAccountsDataSize } = simulate(transaction, PLAIN);
      return { err, logs, computeUnits, loadedAccountsDataSize };
    };
    expect(cost(probe(receipt))).toEqual(cost(probe(unused)));
    expect(cost(probe(receipt)).err).toEqual({ InstructionError: [2, 'InvalidInstructionData'] });
    // Signed by its reader, it runs on the existing receipt.
    const [there, missing] = [receipt, unused].map(
      (each) => cost(sign(probe(each), bob.wallet)).loadedAccountsDataSize,
    );
    expect(there).toBeGreaterThan(missing as number);
  });

  it('rejects a message that names an account twice only if it would run', () => {
    const twice = loadingBoth([0, 0]);
    expect(simulate(twice, PLAIN).err).toBe('AccountNotFound');
    expect(() => simulate(sign(twice, scene.alice.wallet), PLAIN)).toThrow(TransactionRejected);
  });
});

describe('random transactions', () => {
  /** Alice and Bob are private, Sam is public, and the sponsor has no tokens. */
  const random = new SeededRandom('partly signed');
  const oneOf = <T>(list: readonly T[]): T => list[random.integer(list.length)] as T;
  const engine = new LiteSvmEngine();

  function randomInstruction(): Instruction {
    const { alice, bob, sam } = scene;
    const holders = [alice, bob, sam];
    const [source, destination, authority] = [oneOf(holders).ata, oneOf(holders).ata, oneOf(holders).address];
    const amount = oneOf([0n, 1n, 5n, 900n, 1_500n, ALICE_AMOUNT]);
    return oneOf<() => Instruction>([
      () => encode(TOKEN_TABLE.transfer, { source, destination, authority }, { amount }),
      () => pay(oneOf(holders), oneOf(holders), amount),
      () => encode(TOKEN_TABLE.approve, { source, delegate: sam.address, authority }, { amount }),
      () => encode(TOKEN_TABLE.revoke, { source, authority }),
      () => encode(TOKEN_TABLE.burn, { source, mint: MINT, authority }, { amount }),
      () => encode(TOKEN_TABLE.closeAccount, { account: source, destination, authority }),
      () => ({ ...addMemo('x'), accounts: [signer(authority)] }),
      () => ({ ...addMemo('x'), accounts: [signer(authority), readonly(source)] }),
      () => ({
        programId: SYSTEM_PROGRAM,
        accounts: [signer(authority), readonly(receiptOf(random.integer(2)))],
        data: Uint8Array.of(9, 9, 9, 9),
      }),
    ])();
  }

  function randomTransaction(): Transaction {
    const { alice, bob, sam } = scene;
    let transaction = build(...Array.from({ length: 1 + random.integer(3) }, randomInstruction));
    for (const wallet of [alice.wallet, bob.wallet, sam.wallet, sponsor]) {
      const slot = transaction.staticKeys.indexOf(wallet.address);
      if (slot < 0 || slot >= transaction.requiredSignatures) continue;
      const how = random.integer(4);
      if (how < 2) transaction = sign(transaction, wallet);
      else if (how === 2)
        transaction = sign(transaction, sponsor, { of: wallet.address, message: blockhash() });
    }
    return transaction;
  }

  /** Gives the private holders other amounts, delegates and receipts. */
  async function change(holder: Holder, index: number, amount: bigint, isThere: boolean): Promise<void> {
    const { guards, rollup } = scene;
    const receipt = receiptOf(index);
    const known = { address: receipt, sponsor: holder.address, program: EPHEMERAL_TOKEN_PROGRAM };
    const [item, entry] = itemEntry(EPHEMERAL, { ...known, reader: holder.address });
    guards.noteAccount(item, isThere ? entry : GONE);
    const tokens = tokenAccount({ mint: MINT, owner: holder.address }, amount, {
      delegate: isThere ? scene.sam.address : null,
    });
    await rollup.setAccounts([
      [holder.ata, tokens],
      [receipt, isThere ? accountOf(EPHEMERAL_TOKEN_PROGRAM, new Uint8Array(104)) : GONE],
    ]);
  }

  it('are answered the same whatever those who have not signed own', async () => {
    const { alice, bob, sam, permit } = scene;
    await permit(bob, [{ flags: MEMBER_FLAG.authority, address: bob.address }]);
    const owners = [alice, bob];
    for (const [index, owner] of owners.entries()) await change(owner, index, 1_000n, true);
    const seen = new Map<string, number>();
    const rounds = lengthOf({ short: 400, long: 5_000 });
    for (let round = 0; round < rounds; round++) {
      const transaction = randomTransaction();
      const signers = validSigners(transaction);
      const isComplete = signers.length === transaction.requiredSignatures;
      expect(engine.hasValidSignatures(transaction)).toBe(isComplete);
      const reader = oneOf([null, sam.address]);
      const options = oneOf([PLAIN, REPLACING]);
      const strangers = [...owners.entries()].filter(([, { address }]) => !signers.includes(address));
      const before = simulate(transaction, options, reader);
      const asked = shown(before);
      for (const [index, owner] of strangers) await change(owner, index, oneOf([0n, 7n, 10n ** 12n]), false);
      const after = simulate(transaction, options, reader);
      expect(shown(after)).toBe(asked);
      for (const [index, owner] of strangers) await change(owner, index, 1_000n, true);
      const isPrivate = signers.some((each) => owners.some(({ address }) => address === each));
      const outcome = before.err === null || before.err === 'AccountNotFound' ? before.err : 'failed';
      const kind = `${outcome} ${isPrivate ? 'by an owner' : 'by others'} ${isComplete ? 'alone' : 'partly'}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
    // The rounds cover every outcome, with and without the signature of an owner.
    for (const kind of ['null', 'failed', 'AccountNotFound']) {
      for (const who of ['by an owner', 'by others'])
        expect(seen.get(`${kind} ${who} partly`)).toBeGreaterThan(3);
    }
  });
});
