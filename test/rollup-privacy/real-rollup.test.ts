import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EmbeddedLedger } from '../../src/ledger/embedded-ledger.ts';
import { Keypair } from '../../src/ledger/keypair.ts';
import { signTransaction } from '../../src/ledger/keypair.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { MemoryStore } from '../../src/ledger/store/memory-store.ts';
import { buildTransaction, openTestLedger, type TestLedger } from '../../src/ledger/testing/test-ledger.ts';
import { deriveDepositAccounts } from '../../src/payments/accounts/deposit-accounts.ts';
import { planDepositA } from '../../src/payments/deposit/plan-a.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { MAGIC_CONTEXT, PERMISSION_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../src/programs/addresses.ts';
import {
  deriveDelegateBuffer,
  deriveDelegationMetadata,
  deriveDelegationRecord,
} from '../../src/programs/delegation/pdas.ts';
import {
  createPermission,
  delegatePermission,
  resetPermission,
  undelegateEata,
  undelegatePermission,
} from '../../src/programs/ephemeral-token/layout-a.ts';
import { decodeEata } from '../../src/programs/ephemeral-token/state.ts';
import { transferTokens } from '../../src/programs/token/instructions.ts';
import { derivePermission } from '../../src/programs/permission/pdas.ts';
import { MEMBER_FLAG } from '../../src/programs/permission/state.ts';
import { decodeTokenAccount } from '../../src/programs/token/state.ts';
import { openRollup } from '../../src/rollup/open-rollup.ts';
import { ROLLUP_BOOKS } from '../../src/rollup/books/books-address.ts';
import { Guards } from '../../src/rollup/privacy/guards.ts';
import { HistoryNames } from '../../src/rollup/privacy/history-names.ts';
import { PrivateViews } from '../../src/rollup/privacy/private-views.ts';
import type { EmbeddedRollup } from '../../src/rollup/rollup.ts';
import type { Address } from '../../src/solana/address.ts';
import { decodeBase58 } from '../../src/solana/base58.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { compileLegacyMessage } from '../../src/solana/message.ts';

/*
 * Goal: privacy holds on the rollup as it really is, from the deposit to what is left after the settlement. Method: Alice
 * deposits in private and Bob in public through the real programs; at every step it is looked what a stranger can see.
 */

let test: TestLedger;
let base: EmbeddedLedger;
let rollup: EmbeddedRollup;
let views: PrivateViews;
let alice: Keypair;
let bob: Keypair;

const accountsOf = ({ address }: Keypair) => deriveDepositAccounts(address, USDC_MINT, TOKEN_PROGRAM);

const amountAt = (ledger: Ledger, address: Address): bigint | null => {
  const account = ledger.getAccount(address);
  return account && (decodeTokenAccount(account.data)?.amount ?? decodeEata(account.data)?.amount ?? null);
};

async function deposit(wallet: Keypair, amount: bigint, isPrivate: boolean): Promise<void> {
  const instructions = planDepositA({
    accounts: accountsOf(wallet),
    payer: wallet.address,
    amount,
    validator: rollup.identity,
    creates: {
      eata: true,
      vault: base.getAccount(accountsOf(wallet).vault.address) === null,
      ownerAta: false,
    },
    permission: isPrivate ? { flags: 0, delegateTo: null } : null,
  });
  const { err } = await base.submit(buildTransaction(base, [wallet], instructions));
  expect(err).toBeNull();
  await rollup.settled();
}

/** Sends what a wallet signs as anybody may, without a token. */
async function send(wallet: Keypair, instruction: Instruction): Promise<string> {
  const blockhash = decodeBase58(rollup.head().blockhash);
  const message = compileLegacyMessage({ feePayer: wallet.address, blockhash, instructions: [instruction] });
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
  test = await openTestLedger();
  base = test.ledger;
  const { clock, random } = test;
  const guards = new Guards(base);
  const validator = new Keypair(random.bytes(32));
  const place = { store: new MemoryStore() };
  const names = new HistoryNames(base.secretFor('rollup history'), guards);
  const ports = { clock, random, logger: silentLogger };
  rollup = await openRollup({ base, validator, place, ...ports, listedUnder: names.namesOf });
  views = new PrivateViews(rollup, guards, names);
  alice = await test.fundedWallet();
  bob = await test.fundedWallet();
  // Until she deposits, Alice's ATA is on base alone and everybody's to see.
  for (const { address } of [alice, bob]) await base.airdropTokens(address, USDC_MINT, 9_000_000n);
});
afterAll(async () => {
  await rollup.close();
  await base.close();
});

it('keeps a private payment’s whole life from strangers', async () => {
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

  test.clock.pass(1_000);
  const accounts = { owner: alice.address, ownerAta, eata: eata.address };
  const signatures: string[] = [];
  views.viewFor(null).subscribe((event) => {
    if (event.kind === 'transaction') signatures.push(event.record.signature);
  });
  const request = await send(alice, undelegateEata(accounts));
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
  expect(history).toEqual([0, 0, 3]);
  for (const address of [ownerAta, eata.address, MAGIC_CONTEXT, ROLLUP_BOOKS])
    expect(heard).not.toContain(address);
  expect(heard).toContain(bobAta);
});

it('a stranger can make a public account private, for good, but not keep its owner from reading it', async () => {
  const carol = await test.fundedWallet();
  const stranger = await test.fundedWallet();
  await base.airdropTokens(carol.address, USDC_MINT, 1_000_000n);
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
    createPermission({ eata: eata.address, permission, payer }, eata.bump, 0),
    delegatePermission(accounts, eata.bump),
  ]) {
    const { err } = await base.submit(buildTransaction(base, [stranger], [instruction]));
    expect(err).toBeNull();
    expect(seen()).toEqual([null, null, 1_000_000n]);
    expect(views.readersOf(ownerAta)).toEqual([carol.address]);
  }
  const own = { owner: carol.address, eata: eata.address, permission };
  const change = buildTransaction(base, [carol], [resetPermission(own, eata.bump, MEMBER_FLAG.txLogs)]);
  const giveBack = buildTransaction(rollup, [carol], [undelegatePermission(own)]);
  const refused = [await base.submit(change), await views.viewFor(carol.address).submit(giveBack)];
  expect(refused.map(({ err }) => err)).toEqual([
    { InstructionError: [0, 'ExternalAccountDataModified'] },
    'InvalidWritableAccount',
  ]);
  await pay(carol, bob, 1n);
  expect(seen()).toEqual([null, null, 999_999n]);
});
