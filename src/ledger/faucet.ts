import { ServiceError } from '../errors/service-error.ts';
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
import { describeTransactionError } from './describe-transaction-error.ts';
import type { Simulation } from './execution.ts';
import type { FaucetMeter } from './faucet-limits.ts';
import { type Keypair, signTransaction } from './keypair.ts';
import type { Ledger, Preflight } from './ledger.ts';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** What a faucet needs of the ledger it gives on. */
type FaucetLedger = Pick<Ledger, 'head' | 'getAccount' | 'submit'>;

/** Gives lamports and tokens away by transactions like anybody's: signed, in a slot, in the history. */
export class Faucet {
  readonly #keypair: Keypair;
  readonly #ledger: FaucetLedger;
  readonly #meter: FaucetMeter;
  #count = 0;
  /** The newest blockhash something was given on, and the messages made on it. */
  #blockhash = '';
  readonly #made = new Set<string>();

  constructor(keypair: Keypair, ledger: FaucetLedger, meter: FaucetMeter) {
    this.#keypair = keypair;
    this.#ledger = ledger;
    this.#meter = meter;
  }

  /**
   * Transfers `lamports` to `owner`; resolves with the signature.
   *
   * @throws {ServiceError} INVALID_AMOUNT outside of u64, INVALID_ARGUMENTS when the transfer fails: the
   * faucet holds less, or the account would hold less than its rent. FAUCET_LIMIT.
   */
  async airdrop(owner: Address, lamports: bigint): Promise<string> {
    assertU64(lamports, 'lamports');
    const transaction = this.#sign([transferLamports(this.#keypair.address, owner, lamports)]);
    return await this.#give(transaction, owner, () => lamports);
  }

  /**
   * Mints `amount` base units to the owner's ATA, which is made where it is missing; resolves with the
   * signature.
   *
   * @throws {ServiceError} MINT_NOT_FOUND, INVALID_AMOUNT outside of u64, INVALID_ARGUMENTS when the faucet
   * is not the mint's authority or minting fails, FAUCET_LIMIT for the rent of the ATA: tokens cost the
   * faucet nothing.
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
      throw new ServiceError('MINT_NOT_FOUND', `${mint} is not a mint on this ledger`, { mint });
    }
    if (state.mintAuthority !== this.#keypair.address) {
      throw new ServiceError(
        'INVALID_ARGUMENTS',
        `The faucet cannot mint ${mint}: it is not the mint's authority`,
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

  /**
   * Whether a message has not been made on this blockhash yet: if so, it would be the same transaction again.
   */
  #isFirst({ bytes }: CompiledMessage, blockhash: string): boolean {
    if (blockhash !== this.#blockhash) {
      this.#blockhash = blockhash;
      this.#made.clear();
    }
    const text = Buffer.from(bytes).toString('latin1');
    if (this.#made.has(text)) return false;
    this.#made.add(text);
    return true;
  }

  /** @param lamportsOf what is given by a transaction that does what a simulation says. */
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

  /** Tells equal airdrops on one blockhash apart, which would be one and the same transaction. */
  #numberMemo(): Instruction {
    this.#count++;
    return addMemo(`airdrop ${this.#count}`);
  }
}

/** Lamports that leave the payer besides the fee; 0 for a transaction that fails. */
function costOf({ err, fee, preBalances, postBalances }: Simulation): bigint {
  const [before, after] = [preBalances?.[0], postBalances?.[0]];
  if (err !== null || fee === null || before === undefined || after === undefined) return 0n;
  return before - after - fee;
}

function assertU64(value: bigint, field: string): void {
  if (value >= 0n && value <= U64_MAX) return;
  throw new ServiceError('INVALID_AMOUNT', `${field} must be from 0 to ${U64_MAX}`, { field });
}
