// Who lives on a ledger that is filled for the benchmark: the same accounts and wallets in every process.
import { createHash } from 'node:crypto';
import { Keypair, signTransaction } from '../../dist/ledger/keypair.js';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, USDC_MINT } from '../../dist/programs/addresses.js';
import { deriveAta } from '../../dist/programs/associated-token.js';
import { transferLamports } from '../../dist/programs/system.js';
import { transferChecked, transferTokens } from '../../dist/programs/token/instructions.js';
import { TOKEN_ACCOUNT_BYTES } from '../../dist/programs/token/state.js';
import { RENT_EXEMPT_EPOCH } from '../../dist/solana/account.js';
import { addressOf, writeAddress } from '../../dist/solana/address.js';
import { decodeBase58 } from '../../dist/solana/base58.js';
import { compileLegacyMessage } from '../../dist/solana/message.js';

/** Token accounts that each of their owners has. */
export const ACCOUNTS_PER_OWNER = 10;

/** A program that owns some accounts among many of others, and how many. */
export const SMALL_PROGRAM = named('small program');
export const SMALL_PROGRAM_ACCOUNTS = 100;

/** A program that owns many, and how many of them each of its members has. */
export const LARGE_PROGRAM = named('large program');
export const LARGE_PROGRAM_ACCOUNTS = 100_000;
export const ACCOUNTS_PER_MEMBER = 10;
/** Where in their data the member is, and how long that is, bytes. */
export const MEMBER_AT = 32;
const MEMBER_ACCOUNT_BYTES = 165;

const WALLETS = 64;
/**
 * What a token account and a small account must hold to be rent-exempt, and what a wallet begins with,
 * lamports.
 */
const RENT = 2_039_280n;
const WEALTH = 1_000_000_000_000n;

/** What each of the wallets' token accounts begins with, base units of USDC, and the decimals of these. */
const TOKENS = 1_000_000_000n;
const USDC_DECIMALS = 6;

function named(text) {
  return addressOf(createHash('sha256').update(text).digest());
}

/** The owner of the token account with this number. */
export const ownerAt = (number) => named(`owner ${Math.floor(number / ACCOUNTS_PER_OWNER)}`);

/** The address of the token account with this number. */
export const tokenAccountAt = (number) => named(`token account ${number}`);

/** So many accounts: token accounts, but for those of the small program. */
export function* manyAccounts(count) {
  for (let number = 0; number < count - SMALL_PROGRAM_ACCOUNTS; number++) {
    yield [tokenAccountAt(number), tokenAccount(ownerAt(number), BigInt(number))];
  }
  for (let number = 0; number < SMALL_PROGRAM_ACCOUNTS; number++) {
    yield [named(`small account ${number}`), account(SMALL_PROGRAM, RENT, new Uint8Array(64))];
  }
}

/** The member that the account of the large program with this number belongs to. */
export const memberAt = (number) => named(`member ${Math.floor(number / ACCOUNTS_PER_MEMBER)}`);

/** The accounts of the large program. */
export function* largeProgramAccounts() {
  for (let number = 0; number < LARGE_PROGRAM_ACCOUNTS; number++) {
    const data = new Uint8Array(MEMBER_ACCOUNT_BYTES);
    writeAddress(data, MEMBER_AT, memberAt(number));
    yield [named(`member account ${number}`), account(LARGE_PROGRAM, RENT, data)];
  }
}

const account = (owner, lamports, data) => ({
  lamports,
  owner,
  data,
  executable: false,
  rentEpoch: RENT_EXEMPT_EPOCH,
});

/** A token account of USDC. */
function tokenAccount(owner, amount) {
  const data = new Uint8Array(TOKEN_ACCOUNT_BYTES);
  writeAddress(data, 0, USDC_MINT);
  writeAddress(data, 32, owner);
  new DataView(data.buffer).setBigUint64(64, amount, true);
  data[108] = 1;
  return account(TOKEN_PROGRAM, RENT, data);
}

/** Wallets that can sign. */
export const wallets = Array.from(
  { length: WALLETS },
  (_, number) => new Keypair(createHash('sha256').update(`wallet ${number}`).digest()),
);

/** The wallets' accounts. */
export const walletAccounts = wallets.map(({ address }) => [
  address,
  account(SYSTEM_PROGRAM, WEALTH, new Uint8Array()),
]);

/** The addresses of their token accounts, in the same order, and these. */
const walletTokens = wallets.map(({ address }) => deriveAta(address, USDC_MINT, TOKEN_PROGRAM).address);
export const walletTokenAccounts = wallets.map(({ address }, number) => [
  walletTokens[number],
  tokenAccount(address, TOKENS),
]);

/**
 * A signed transfer of lamports between two of the wallets; another number and blockhash make another
 * transaction.
 */
export function signTransfer(number, blockhash) {
  const { from, to, amount } = transferAt(number);
  return signAlone(from, blockhash, transferLamports(from.address, wallets[to].address, amount));
}

/** The same of tokens, from a wallet's own token account to that of another. */
export function signTokenTransfer(number, blockhash) {
  return signTokenTransferTo(walletTokens[transferAt(number).to], number, blockhash);
}

/** The same to any token account of USDC. */
export function signTokenTransferTo(destination, number, blockhash) {
  const { from, source, amount } = transferAt(number);
  const accounts = { source, destination, authority: from.address };
  return signAlone(from, blockhash, transferTokens(TOKEN_PROGRAM, accounts, amount));
}

/** The same between two wallets, by the instruction that names the mint and its decimals. */
export function signCheckedTransfer(number, blockhash) {
  const { from, source, to, amount } = transferAt(number);
  const accounts = { source, mint: USDC_MINT, destination: walletTokens[to], authority: from.address };
  return signAlone(from, blockhash, transferChecked(TOKEN_PROGRAM, accounts, amount, USDC_DECIMALS));
}

/** Who pays whom, and how much. */
function transferAt(number) {
  const at = number % WALLETS;
  return {
    from: wallets[at],
    source: walletTokens[at],
    to: (at + 1) % WALLETS,
    amount: BigInt(1 + Math.floor(number / WALLETS)),
  };
}

/** A transaction of one instruction, which its fee payer alone signs. */
function signAlone(from, blockhash, instruction) {
  const message = compileLegacyMessage({
    feePayer: from.address,
    blockhash: decodeBase58(blockhash),
    instructions: [instruction],
  });
  return signTransaction(message, [from]);
}
