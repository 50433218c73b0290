import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EmbeddedLedger } from '../../src/ledger/embedded-ledger.ts';
import { Keypair, signTransaction } from '../../src/ledger/keypair.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { buildTransaction } from '../../src/ledger/testing/test-ledger.ts';
import { MAGIC_CONTEXT, PERMISSION_PROGRAM, TOKEN_PROGRAM } from '../../src/programs/addresses.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../src/programs/delegation/pdas.ts';
import { decodeEata } from '../../src/programs/ephemeral-token/state.ts';
import { EATA_TABLE } from '../../src/programs/ephemeral-token/table/eata.ts';
import { encode } from '../../src/programs/instruction-table/encode.ts';
import { derivePermission, MEMBER_FLAG } from '../../src/programs/permission/state.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import { decodeTokenAccount } from '../../src/programs/token/state.ts';
import { ROLLUP_BOOKS } from '../../src/rollup/books/item.ts';
import { PrivateViews } from '../../src/rollup/privacy/private-views.ts';
import type { EmbeddedRollup } from '../../src/rollup/rollup.ts';
import type { Address } from '../../src/solana/address.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { compileLegacyMessage } from '../../src/solana/message.ts';
import { onBothLayouts } from './private-scene.ts';
import { accountsOf, openRealStage, type RealStage } from './real-stage.ts';

/*
 * Goal: privacy holds on the real rollup, from the deposit until after the settlement.
 * Method: Alice deposits in private and Bob in public through the real programs. Every step checks what a
 * stranger can see.
 */

const amountAt = (ledger: Ledger, address: Address): bigint | null => {
  const account = ledger.getAccount(address);
  return account && (decodeTokenAccount(account.data)?.amount ?? decodeEata(account.data)?.amount ?? null);
};

onBothLayouts((layout) => {
  let stage: RealStage;
  let base: EmbeddedLedger;
  let rollup: EmbeddedRollup;
  let views: PrivateViews;
  let alice: Keypair;
  let bob: Keypair;

  async function deposit(wallet: Keypair, amount: bigint, isPrivate: boolean): Promise<void> {
    const instructions = stage.deposit(wallet, amount, isPrivate);
    const { err } = await base.submit(buildTransaction(base, [wallet], instructions));
    expect(err).toBeNull();
    await rollup.settled();
  }

  /** Sends what a wallet signs as anybody may, without a token. */
  async function send(wallet: Keypair, instruction: Instruction): Promise<string> {
    const blockhash = decodeBase58(rollup.head().blockhash);
    const message = compileLegacyMessage({
      feePayer: wallet.address,
      blockhash,
      instructions: [instruction],
    });
    const { err, signature } = await views.viewFor(null).submit(signTransaction(message, [wallet]));
    expect(err).toBeNull();
    return signature;
  }

  const pay = (from: Keypair, to: Keypair, amount: bigint) =>
    send(
      from,
      transferTokens(
        TOKEN_PROGRAM,
        { source: accountsOf(from).ownerAta, destination: accountsOf(to).ownerAta, authority: from.address },
        amount,
      ),
    );

  beforeAll(async () => {
    stage = await openRealStage(layout);
    ({ base, rollup, views } = stage);
    // Until she deposits, Alice's ATA is on base alone and everybody's to see.
    alice = await stage.wallet(9_000_000n);
    bob = await stage.wallet(9_000_000n);
  });
  afterAll(() => stage.close());

  it('hides the whole life of a private payment from strangers', async () => {
    const heard: string[] = [];
    views.viewFor(null).subscribe(({ changes }) => heard.push(...changes.map(({ address }) => address)));
    await deposit(alice, 5_000_000n, true);
    await deposit(bob, 1_000_000n, false);
    const { ownerAta, eata } = accountsOf(alice);
    const bobAta = accountsOf(bob).ownerAta;
    const seenBy = (reader: Address | null) => {
      const view = views.viewFor(reader);
      return [amountAt(view, ownerAta), amountAt(view, eata.address), amountAt(view, bobAta)];
    };
    const everybody = () => [null, bob.address, alice.address].map(seenBy);
    const shown = (ofAlice: bigint, ofBob: bigint) => [
      [null, null, ofBob],
      [null, null, ofBob],
      [ofAlice, ofAlice, ofBob],
    ];
    expect(everybody()).toEqual(shown(5_000_000n, 1_000_000n));

    const toBob = await pay(alice, bob, 1_234_567n);
    const toAlice = await pay(bob, alice, 1n);
    expect(everybody()).toEqual(shown(3_765_434n, 2_234_566n));
    const knowing = (signature: string) =>
      [null, bob.address, alice.address].map(
        (reader) => views.viewFor(reader).getTransaction(signature)?.postTokenBalances.length ?? null,
      );
    expect([knowing(toBob), knowing(toAlice)]).toEqual([
      [null, 1, 2],
      [null, 1, 2],
    ]);

    await stage.pass(1_000);
    const signatures: string[] = [];
    views.viewFor(null).subscribe((event) => {
      if (event.kind === 'transaction') signatures.push(event.record.signature);
    });
    const request = await send(alice, stage.undelegation(alice));
    await rollup.settled();
    const announcement = 'ScheduledCommitSent signature: ';
    const told = views.viewFor(alice.address).getTransaction(request)?.logs.at(-1) ?? '';
    expect(told).toContain(announcement);
    const confirmation = told.slice(announcement.length);
    expect(signatures).toEqual([]);
    expect(rollup.projectionAt(ownerAta)).toBeNull();
    // The settlement itself is on base, for everybody to see.
    expect(amountAt(base, eata.address)).toBe(3_765_434n);
    expect([toBob, toAlice, request, confirmation].map(knowing)).toEqual([
      [null, 1, 2],
      [null, 1, 2],
      [null, null, expect.any(Number)],
      [null, null, 0],
    ]);
    const history = [null, bob.address, alice.address].map(
      (reader) => views.viewFor(reader).signaturesFor({ address: ownerAta, limit: 10 }).length,
    );
    // On layout B the arrival of her deposit is a transaction of the rollup as well.
    expect(history).toEqual([0, 0, layout === 'a' ? 3 : 4]);
    for (const address of [ownerAta, eata.address, MAGIC_CONTEXT, ROLLUP_BOOKS])
      expect(heard).not.toContain(address);
    expect(heard).toContain(bobAta);
  });

  it('a stranger can make a public account private, permanently, but the owner can still read it', async () => {
    const carol = await stage.wallet(1_000_000n);
    const stranger = await stage.wallet(0n);
    await deposit(carol, 1_000_000n, false);
    const { ownerAta, eata } = accountsOf(carol);
    const seen = () =>
      [null, stranger.address, carol.address].map((reader) => amountAt(views.viewFor(reader), ownerAta));
    expect(seen()).toEqual([1_000_000n, 1_000_000n, 1_000_000n]);

    const payer = stranger.address;
    const permission = derivePermission(eata.address).address;
    const delegation = {
      buffer: deriveDelegateBuffer(permission, PERMISSION_PROGRAM).address,
      record: deriveDelegationRecord(permission).address,
      metadata: deriveDelegationMetadata(permission).address,
    };
    const accounts = { payer, eata: eata.address, permission, delegation, validator: rollup.identity };
    for (const instruction of [
      stage.createPermission(stranger, carol, permission),
      stage.delegatePermission(accounts, carol),
    ]) {
      const { err } = await base.submit(buildTransaction(base, [stranger], [instruction]));
      expect(err).toBeNull();
      expect(seen()).toEqual([null, null, 1_000_000n]);
      expect(views.readersOf(ownerAta)).toEqual([carol.address]);
    }
    const own = { owner: carol.address, eata: eata.address, permission };
    const change = buildTransaction(base, [carol], [stage.resetPermission(own, carol, MEMBER_FLAG.txLogs)]);
    const giveBack = buildTransaction(rollup, [carol], [encode(EATA_TABLE.undelegatePermission, own)]);
    const refused = [await base.submit(change), await views.viewFor(carol.address).submit(giveBack)];
    expect(refused.map(({ err }) => err)).toEqual([
      { InstructionError: [0, 'ExternalAccountDataModified'] },
      'InvalidWritableAccount',
    ]);
    await pay(carol, bob, 1n);
    expect(seen()).toEqual([null, null, 999_999n]);
  });
});
