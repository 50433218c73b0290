import type { KeyPairSigner } from '@solana/kit';
import { callLedger } from '../test/stack-process.ts';
import type { Examination, Outcome } from './examination.ts';
import { createFundedWallet, signAllButLast, signAs, USDC } from './wallet.ts';

const FUNDS = 5_000_000;
const DEPOSIT = 1_500_000;
const TRANSFER = 700_000;
const WITHDRAWAL = 400_000;
const HANDLE = 'alice@example.com';

const SUCCEEDS = { simulation: { status: 'succeeds' } };

/** The embedded ledger has neither shuttles and queues nor a rollup, and says so. */
const NOT_ON_LOCALNET: Outcome = { refuses: 'UNSUPPORTED_ON_CLUSTER' };

interface Built {
  readonly transactionBase64: string;
  readonly recentBlockhash: string;
  readonly lastValidBlockHeight: number;
}

/**
 * Calls every tool with new wallets on localnet: what localnet can do is built, explained, signed, sent and read back
 * to the base unit; what it cannot must be refused by name.
 *
 * @throws {Surprise} at the first call that comes to something else.
 */
export async function playStory(examination: Examination, ledgerUrl: string): Promise<void> {
  const payer = await createFundedWallet(ledgerUrl, FUNDS);
  const recipient = await createFundedWallet(ledgerUrl, 0);
  await depositAndRead(examination, payer);
  await transfer(examination, payer, recipient.address);
  await withdraw(examination, await createFundedWallet(ledgerUrl, FUNDS), ledgerUrl);
  await tryWhatLocalnetHasNot(examination, payer.address, recipient.address);
}

async function depositAndRead(examination: Examination, payer: KeyPairSigner): Promise<void> {
  const owner = payer.address;
  await expectBalance(examination, owner, FUNDS, 'what the faucet gave');
  const request = { owner, amount: DEPOSIT, mint: USDC };
  const deposit = await examination.call<Built>(
    'spl.deposit',
    'tried on the ledger',
    { ...request, simulate: true },
    { gives: { kind: 'deposit', sendTo: 'base', requiredSigners: [owner], ...SUCCEEDS } },
  );
  await examination.call(
    'spl.explainTransaction',
    'against the request it was built from',
    { transactionBase64: deposit.transactionBase64, request: { operation: 'deposit', arguments: request } },
    { gives: { request: { satisfied: 'yes' }, fullySigned: false, ...SUCCEEDS } },
  );
  await send(examination, deposit, {
    about: 'the deposit',
    signed: await signAs(payer, deposit.transactionBase64),
  });
  await expectBalance(examination, owner, FUNDS - DEPOSIT, 'less the deposit');
  await examination.call('spl.deposit', 'into a delegated account', request, {
    refuses: 'EATA_ALREADY_DELEGATED',
  });
}

async function transfer(examination: Examination, payer: KeyPairSigner, to: string): Promise<void> {
  const request = { from: payer.address, to, mint: USDC, amount: TRANSFER };
  const built = await examination.call<Built>(
    'spl.transfer',
    'public, on the base ledger',
    { ...request, visibility: 'public', memo: 'for lunch' },
    { gives: { kind: 'transfer', sendTo: 'base', requiredSigners: [payer.address] } },
  );
  await send(examination, built, {
    about: 'the transfer',
    signed: await signAs(payer, built.transactionBase64),
  });
  await expectBalance(examination, to, TRANSFER, 'of the recipient');
  await examination.call('spl.transfer', 'private', { ...request, visibility: 'private' }, NOT_ON_LOCALNET);
}

/** Tokens that were deposited and are not delegated come back. */
async function withdraw(examination: Examination, saver: KeyPairSigner, ledgerUrl: string): Promise<void> {
  const owner = saver.address;
  const deposit = await examination.call<Built>(
    'spl.deposit',
    'of a second wallet',
    { owner, amount: DEPOSIT, private: false },
    { gives: { kind: 'deposit' } },
  );
  const undelegated = await signAllButLast(saver, deposit.transactionBase64);
  await callLedger(ledgerUrl, 'sendTransaction', [undelegated, { encoding: 'base64' }]);
  const built = await examination.call<Built>(
    'spl.withdraw',
    'what is not delegated',
    { owner, mint: USDC, amount: WITHDRAWAL, simulate: true },
    { gives: { kind: 'withdraw', sendTo: 'base', requiredSigners: [owner], ...SUCCEEDS } },
  );
  await send(examination, built, {
    about: 'the withdrawal',
    signed: await signAs(saver, built.transactionBase64),
  });
  await expectBalance(examination, owner, FUNDS - DEPOSIT + WITHDRAWAL, 'with the withdrawal');
}

async function tryWhatLocalnetHasNot(examination: Examination, payer: string, to: string): Promise<void> {
  const calls = {
    'spl.undelegate': { payer, mint: USDC },
    'spl.getPrivateBalance': { address: payer, mint: USDC },
    'spl.initializeMint': { payer, mint: USDC },
    'spl.isMintInitialized': { mint: USDC },
    'spl.createStealthPool': { payer, authority: payer, handle: HANDLE, destinations: [to] },
    'spl.getStealthPool': { handle: HANDLE },
  };
  for (const [tool, args] of Object.entries(calls)) {
    await examination.call(tool, 'not on localnet', args, NOT_ON_LOCALNET);
  }
}

async function send(
  examination: Examination,
  { recentBlockhash, lastValidBlockHeight }: Built,
  { about, signed }: { readonly about: string; readonly signed: string },
): Promise<void> {
  await examination.call(
    'spl.sendTransaction',
    about,
    { transactionBase64: signed, sendTo: 'base', confirm: true, recentBlockhash, lastValidBlockHeight },
    { gives: { outcome: 'confirmed', sendTo: 'base' } },
  );
}

async function expectBalance(
  examination: Examination,
  address: string,
  amount: number,
  about: string,
): Promise<void> {
  const outcome = { gives: { location: 'base', balance: String(amount) } };
  await examination.call('spl.getBalance', about, { address, mint: USDC }, outcome);
}
