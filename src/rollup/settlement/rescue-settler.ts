import type { AccountView } from '../../ledger/state/accounts.ts';
import type { TransactionError } from '../../ledger/transaction-errors.ts';
import { DELEGATION_PROGRAM, EPHEMERAL_TOKEN_PROGRAM } from '../../programs/addresses.ts';
import { createAtaIdempotent, deriveAta } from '../../programs/associated-token.ts';
import { decodeShuttle } from '../../programs/ephemeral-token/layout-b/shuttle.ts';
import { deriveVault } from '../../programs/ephemeral-token/pdas.ts';
import { decodeEata, type Eata } from '../../programs/ephemeral-token/state.ts';
import { SHUTTLE_TABLE } from '../../programs/ephemeral-token/table/shuttle.ts';
import { encode } from '../../programs/instruction-table/encode.ts';
import { isTokenProgram } from '../../programs/token/state.ts';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/base58.ts';
import type { Instruction } from '../../solana/instruction.ts';
import { BooksView } from '../books/books.ts';
import { deletedItem, itemEntry } from '../books/item.ts';
import { RESCUE, type Rescue } from '../books/items.ts';
import { admitValidator } from '../validator-accounts.ts';
import { BackOff, type Job, logFailure, type SettlementContext } from './jobs.ts';
import {
  commitmentInstructions,
  markOf,
  readDelegationState,
  signSettlement,
} from './settlement-transaction.ts';
import { type MintKeys, vaultAtaOf } from './solvency.ts';

/**
 * Returns delegations on base whose actions failed on the rollup. Tokens of a shuttle go to its owner in the
 * same transaction. The signature is in the books before it is submitted. Nothing is returned for a mint that
 * is halted or whose vault does not cover all claims.
 */
export class RescueSettler implements Job {
  readonly #parts: SettlementContext;
  readonly #stalled: BackOff;

  constructor(parts: SettlementContext) {
    this.#parts = parts;
    this.#stalled = new BackOff(parts.timer, () => parts.wake());
  }

  /** Rescues that base did not accept and that will be retried. */
  get stalledCount(): number {
    return this.#rescues().filter(({ account }) => this.#stalled.isHeld(account)).length;
  }

  /** @throws {ServiceError} LEDGER_STOPPED. */
  async step(): Promise<boolean> {
    const rescue = this.#rescues().find(({ account }) => !this.#hasToWait(account));
    if (rescue === undefined) return false;
    await this.#execute(rescue);
    return true;
  }

  releaseAll(): void {
    this.#stalled.releaseAll();
  }

  close(): void {
    this.#stalled.close();
  }

  #hasToWait(account: Address): boolean {
    if (this.#stalled.isHeld(account)) return true;
    const { base, halted } = this.#parts;
    const mint = rescuedMint(account, base.state());
    return mint !== null && halted.has(mint.mint);
  }

  #rescues(): readonly Rescue[] {
    return new BooksView(this.#parts.ledger.state()).rescues();
  }

  async #execute(rescue: Rescue): Promise<void> {
    const { base, ledger, validator, random, halted } = this.#parts;
    const { account } = rescue;
    if (base.state().get(account)?.owner !== DELEGATION_PROGRAM) {
      // The account has already been returned.
      this.#stalled.forget(account);
      await ledger.setOwnAccounts([deletedItem(RESCUE, { account })]);
      return;
    }
    await admitValidator(base, validator.address);
    // The rollup may have been reset.
    if (new BooksView(ledger.state()).rescueOf(account) === null) return;
    const mint = rescuedMint(account, base.state());
    if (mint !== null && !halted.admits([mint])) return;
    const instructions = rescueInstructions(account, base.state(), validator.address);
    if (instructions === null) return this.#stall(account, 'its delegation on base cannot be read');
    const signing = { validator, blockhash: base.head().blockhash, mark: markOf(random) };
    const transaction = signSettlement(instructions, signing);
    const signature = encodeBase58(transaction.signatures[0] as Uint8Array);
    await ledger.setOwnAccounts([itemEntry(RESCUE, { ...rescue, signature })]);
    const { err } = await base.submit(transaction);
    if (err === null) this.#stalled.forget(account);
    else this.#stall(account, err);
  }

  #stall(account: Address, reason: TransactionError): void {
    const failures = this.#stalled.hold(account);
    const message =
      'SETTLEMENT STALLED: a shuttle whose actions failed could not be returned; the rollup retries';
    logFailure(this.#parts.logger, { reason, failures }, message);
  }
}

type Base = Pick<AccountView, 'get'>;

/**
 * Builds the undelegation of an account with its state on base. For a shuttle, it also moves the tokens to
 * the owner's ATA, and creates the ATA if missing. Returns null if the delegation cannot be read.
 */
function rescueInstructions(account: Address, base: Base, validator: Address): Instruction[] | null {
  const state = readDelegationState(account, base);
  const held = base.get(account);
  if (state === null || held === undefined) return null;
  const back = commitmentInstructions({ ...state, data: held.data, isUndelegation: true }, validator);
  const eata = decodeEata(held.data);
  return [...back, ...(eata === null ? [] : recovery(account, eata, base, validator))];
}

function rescuedMint(account: Address, base: Base): MintKeys | null {
  const held = base.get(account);
  const mint = held === undefined ? undefined : decodeEata(held.data)?.mint;
  const tokenProgram = mint === undefined ? undefined : base.get(mint)?.owner;
  return mint === undefined || !isTokenProgram(tokenProgram) ? null : { mint, tokenProgram };
}

/** Returns the instructions that empty and close the shuttle of an eATA; empty for any other eATA. */
function recovery(shuttleEata: Address, { owner, mint }: Eata, base: Base, payer: Address): Instruction[] {
  const metadata = base.get(owner);
  const shuttle = metadata?.owner === EPHEMERAL_TOKEN_PROGRAM ? decodeShuttle(metadata.data) : null;
  const tokenProgram = base.get(mint)?.owner;
  if (shuttle === null || !isTokenProgram(tokenProgram)) return [];
  const destinationAta = deriveAta(shuttle.owner, mint, tokenProgram).address;
  return [
    createAtaIdempotent({ payer, ata: destinationAta, owner: shuttle.owner, mint, tokenProgram }),
    encode(SHUTTLE_TABLE.recoverShuttle, {
      rentRefund: shuttle.rentRefund,
      shuttle: {
        metadata: owner,
        eata: shuttleEata,
        walletAta: deriveAta(owner, mint, tokenProgram).address,
      },
      destinationAta,
      mint,
      vault: deriveVault(mint).address,
      vaultAta: vaultAtaOf({ mint, tokenProgram }),
      tokenProgram,
    }),
  ];
}
