import { ServiceError } from '../errors/service-error.ts';
import type { Clock } from '../ports/clock.ts';
import { createAtaIdempotent, deriveAta } from '../programs/associated-token.ts';
import { addMemo } from '../programs/memo.ts';
import { transferLamports } from '../programs/system.ts';
import { mintTo } from '../programs/token/instructions.ts';
import { decodeMint, isTokenProgram } from '../programs/token/state.ts';
import type { Address } from '../solana/address.ts';
import { decodeBase58 } from '../solana/base58.ts';
import type { Instruction } from '../solana/instruction.ts';
import { type CompiledMessage, compileLegacyMessage } from '../solana/message.ts';
import type { Transaction } from '../solana/transaction.ts';
import { type Keypair, signTransaction } from './keypair.ts';
import type { Ledger, Preflight, Simulation } from './ledger.ts';
import { describeTransactionError } from './transaction-errors.ts';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

type FaucetLedger = Pick<Ledger, 'head' | 'getAccount' | 'submit'>;

/** Transfers lamports and mints tokens with ordinary signed transactions. */
export class Faucet {
  readonly #keypair: Keypair;
  readonly #ledger: FaucetLedger;
  readonly #meter: FaucetMeter;
  #count = 0;
  /** The blockhash of the last airdrop, and the messages built on it. */
  #blockhash = '';
  readonly #built = new Set<string>();

  constructor(keypair: Keypair, ledger: FaucetLedger, meter: FaucetMeter) {
    this.#keypair = keypair;
    this.#ledger = ledger;
    this.#meter = meter;
  }

  /**
   * Transfers `lamports` to `owner`. Resolves with the signature.
   *
   * @throws {ServiceError} INVALID_AMOUNT outside u64; INVALID_ARGUMENTS if the faucet has too few lamports
   *   or the account would not be rent-exempt; FAUCET_LIMIT.
   */
  async airdrop(owner: Address, lamports: bigint): Promise<string> {
    assertU64(lamports, 'lamports');
    const transaction = this.#sign([transferLamports(this.#keypair.address, owner, lamports)]);
    return await this.#give(transaction, owner, () => lamports);
  }

  /**
   * Mints `amount` base units to the owner's ATA, which is created if missing. Resolves with the signature.
   *
   * @throws {ServiceError} MINT_NOT_FOUND; INVALID_AMOUNT outside u64; INVALID_ARGUMENTS if the faucet is not
   *   the mint's authority or minting fails; FAUCET_LIMIT for the rent of the ATA.
   */
  async airdropTokens(owner: Address, mint: Address, amount: bigint): Promise<string> {
    assertU64(amount, 'amount');
    const tokenProgram = this.#mintProgram(mint);
    const payer = this.#keypair.address;
    const ata = deriveAta(owner, mint, tokenProgram).address;
    const transaction = this.#sign([
      createAtaIdempotent({ payer, ata, owner, mint, tokenProgram }),
      mintTo(tokenProgram, { mint, destination: ata, authority: payer }, amount),
    ]);
    return await this.#give(transaction, owner, costOf);
  }

  #mintProgram(mint: Address): Address {
    const account = this.#ledger.getAccount(mint);
    const state = account !== null && isTokenProgram(account.owner) ? decodeMint(account.data) : null;
    if (account === null || state === null) {
      throw new ServiceError('MINT_NOT_FOUND', `${mint} is not a mint on this ledger; pass a mint`, { mint });
    }
    if (state.mintAuthority !== this.#keypair.address) {
      throw new ServiceError(
        'INVALID_ARGUMENTS',
        `The faucet cannot mint ${mint}, because it is not the mint's authority: pass another mint`,
        { mint },
      );
    }
    return account.owner;
  }

  #sign(instructions: readonly Instruction[]): Transaction {
    const { blockhash } = this.#ledger.head();
    const plain = this.#compile(instructions, blockhash);
    const message = this.#isFirst(plain, blockhash)
      ? plain
      : this.#compile([...instructions, this.#numberMemo()], blockhash);
    return signTransaction(message, [this.#keypair]);
  }

  #compile(instructions: readonly Instruction[], blockhash: string): CompiledMessage {
    const feePayer = this.#keypair.address;
    return compileLegacyMessage({ feePayer, blockhash: decodeBase58(blockhash), instructions });
  }

  /** Whether the message is new on this blockhash. A repeated message would be the same transaction. */
  #isFirst({ bytes }: CompiledMessage, blockhash: string): boolean {
    if (blockhash !== this.#blockhash) {
      this.#blockhash = blockhash;
      this.#built.clear();
    }
    const text = Buffer.from(bytes).toString('latin1');
    if (this.#built.has(text)) return false;
    this.#built.add(text);
    return true;
  }

  /** @param lamportsOf returns the lamports that the faucet pays, based on the simulation. */
  async #give(
    transaction: Transaction,
    to: Address,
    lamportsOf: (simulation: Simulation) => bigint,
  ): Promise<string> {
    let takeBack = (): void => undefined;
    const preflight: Preflight = (simulation) => {
      takeBack = this.#meter.take(to, lamportsOf(simulation));
    };
    const { signature, err } = await this.#ledger
      .submit(transaction, { preflight })
      .catch((error: unknown) => {
        takeBack();
        throw error;
      });
    if (err !== null) {
      takeBack();
      throw new ServiceError('INVALID_ARGUMENTS', `The airdrop failed: ${describeTransactionError(err)}`, {
        signature,
      });
    }
    return signature;
  }

  /** Builds a memo that makes an airdrop unique: equal airdrops on one blockhash are one transaction. */
  #numberMemo(): Instruction {
    this.#count++;
    return addMemo(`airdrop ${this.#count}`);
  }
}

/** Returns the lamports that the payer spends in addition to the fee; 0 if the transaction fails. */
function costOf({ err, fee, preBalances, postBalances }: Simulation): bigint {
  const [before, after] = [preBalances?.[0], postBalances?.[0]];
  if (err !== null || fee === null || before === undefined || after === undefined) return 0n;
  return before - after - fee;
}

function assertU64(value: bigint, field: string): void {
  if (value >= 0n && value <= U64_MAX) return;
  throw new ServiceError('INVALID_AMOUNT', `${field} must be from 0 to ${U64_MAX}`, { field });
}

/** Limits of a faucet, set by flags of solana-test-validator. */
export interface FaucetLimits {
  /** Maximum lamports per call; default no limit. */
  readonly perCall?: bigint | undefined;
  /** Maximum lamports per address and time slice; default no limit. */
  readonly perSlice?: bigint | undefined;
  /** Length of a time slice, in ms; default one minute (Agave `TIME_SLICE`). */
  readonly sliceMs?: number | undefined;
}

const SLICE_MS = 60_000;

/** Enforces the limits of a faucet. Each time slice starts with the full limit. */
export class FaucetMeter {
  readonly #limits: FaucetLimits;
  readonly #sliceMs: number;
  readonly #clock: Clock;
  readonly #granted = new Map<Address, bigint>();
  #sliceFromMs: number;

  constructor(limits: FaucetLimits, clock: Clock) {
    this.#limits = limits;
    this.#sliceMs = limits.sliceMs ?? SLICE_MS;
    this.#clock = clock;
    this.#sliceFromMs = clock.now();
  }

  /**
   * Counts an airdrop. Returns a function that undoes the count if the transfer fails.
   *
   * @throws {ServiceError} FAUCET_LIMIT if it exceeds a limit. Nothing is counted then.
   */
  take(to: Address, lamports: bigint): () => void {
    const { perCall, perSlice } = this.#limits;
    if (perCall !== undefined && lamports > perCall) {
      throw limited(`${sol(perCall)} per call, but this call requests ${sol(lamports)}`, { to });
    }
    if (perSlice === undefined) return () => undefined;
    this.#beginSlice();
    const granted = this.#granted.get(to) ?? 0n;
    if (granted + lamports > perSlice) {
      const retryMs = Math.max(0, this.#sliceFromMs + this.#sliceMs - this.#clock.now());
      throw limited(
        `${sol(perSlice)} per address every ${this.#sliceMs / 1_000} s. ${to} has received ${sol(granted)} and requests ${sol(lamports)}. Try again in ${Math.ceil(retryMs / 1_000)} s`,
        { to },
      );
    }
    this.#note(to, lamports);
    const sliceFromMs = this.#sliceFromMs;
    return () => {
      if (this.#sliceFromMs === sliceFromMs) this.#note(to, -lamports);
    };
  }

  #note(to: Address, lamports: bigint): void {
    this.#granted.set(to, (this.#granted.get(to) ?? 0n) + lamports);
  }

  /** Starts a new slice if the current one is over or the clock was set back. */
  #beginSlice(): void {
    const elapsed = this.#clock.now() - this.#sliceFromMs;
    if (elapsed >= 0 && elapsed < this.#sliceMs) return;
    this.#granted.clear();
    this.#sliceFromMs = this.#clock.now();
  }
}

function limited(limit: string, context: { readonly to: Address }): ServiceError {
  return new ServiceError('FAUCET_LIMIT', `The faucet transfers at most ${limit}`, context);
}

function sol(lamports: bigint): string {
  const fraction = String(lamports % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${lamports / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`} SOL`;
}
