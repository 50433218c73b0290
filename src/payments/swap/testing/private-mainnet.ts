import { MapChain, mintData, tokenAccountData } from '../../../../test/ports/map-chain.ts';
import type { SimulationResult } from '../../../chain/chain.ts';
import type { UpstreamRequest } from '../../../chain/upstream/transport.ts';
import { Keypair } from '../../../ledger/keypair.ts';
import { lookupTable } from '../../../ledger/testing/lookup-table.ts';
import { type Random, systemRandom } from '../../../ports/random.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  DELEGATION_PROGRAM,
  EPHEMERAL_TOKEN_PROGRAM,
  JUPITER_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_DEVNET_MINT,
  USDC_MINT,
} from '../../../programs/addresses.ts';
import { deriveAta } from '../../../programs/associated-token.ts';
import { setComputeUnitLimit } from '../../../programs/compute-budget.ts';
import { transferQueueBytes } from '../../../programs/ephemeral-token/layout-b/transfer-queue.ts';
import { deriveStash, deriveTransferQueue } from '../../../programs/ephemeral-token/pdas.ts';
import { type Account, LOCAL_RENT } from '../../../solana/account.ts';
import { type Address, addressBytes } from '../../../solana/address.ts';
import { type Instruction, readonly, signer, writable } from '../../../solana/instruction.ts';
import { encodeUnsignedTransaction } from '../../../solana/message.ts';
import { compileV0Message, type LookupTable } from '../../../solana/versioned-message.ts';
import { deriveMintVault } from '../../accounts/deposit-accounts.ts';
import { RENT_PDA } from '../../fees/costs.ts';
import { createSwap } from '../../swap.ts';
import { jupiterRoute } from './jupiter-route.ts';
import { answerOf, mainnetSwaps } from './swap-scene.ts';

export const key = (byte: number): Address => new Keypair(new Uint8Array(32).fill(byte)).address;

export const VALIDATOR = 'FLqULc9dFWVqHuFVPrFVALL8XRG2otEHF34repBqfVdW' as Address;

/** Lamports that tag 29 takes from the user. */
const PAYOUT_LAMPORTS = 2_039_280n;

/** The user pays 1 token of devnet USDC and receives at least 0.9 USDC. */
export const TERMS = {
  inputMint: USDC_DEVNET_MINT,
  inAmount: '1000000',
  outputMint: USDC_MINT,
  outAmount: '909091',
  otherAmountThreshold: '900001',
  swapMode: 'ExactIn',
  slippageBps: 100,
  routePlan: [{ swapInfo: { label: 'Pool' } }],
};

/** The part of a transaction request to the upstream that the scene uses. */
interface SwapBody {
  readonly payer?: Address;
  readonly destinationTokenAccount: Address;
  readonly quoteResponse: typeof TERMS & { readonly fillers?: number };
}

/**
 * Mainnet, on which a private swap by `user` succeeds until a test changes something. The ledger executes
 * nothing. It reports the known effects of the swap and its payout.
 */
export class PrivateMainnet extends MapChain {
  override cluster = 'mainnet';
  override network = 'mainnet' as const;
  override layout = 'b' as 'a' | 'b';
  override validator = VALIDATOR;
  random: Random = systemRandom;
  /** Number of additional accounts in the given quote. */
  fillers = 0;
  /** Effects that the simulation reports. */
  got = 905_000n;
  paid = 1_000_000n;
  fee = 5_000n;
  extraLamports = 0n;
  /** The wallet that pays the fee and the rent in the simulation. */
  payer: Address;
  /** Changes the upstream's transaction. */
  alter: (instructions: Instruction[]) => Instruction[] = (instructions) => instructions;
  tables: LookupTable[] = [];
  /** Answers a request for another quote, depending on `maxAccounts`. */
  requote: (maxAccounts: number) => unknown = () => ({ errorCode: 'NO_ROUTES_FOUND' });

  readonly user: Address;
  readonly outputMint: Address;
  readonly stash: Address;
  readonly stashAta: Address;
  readonly userInput: Address;

  constructor(user = key(1), outputMint: Address = USDC_MINT, tokenProgram: Address = TOKEN_PROGRAM) {
    super();
    this.user = user;
    this.payer = user;
    this.outputMint = outputMint;
    this.stash = deriveStash(user, outputMint).address;
    this.stashAta = deriveAta(this.stash, outputMint, tokenProgram).address;
    this.userInput = deriveAta(user, USDC_DEVNET_MINT, TOKEN_PROGRAM).address;
    const { vault, vaultAta } = deriveMintVault(outputMint, tokenProgram);
    const vaultBytes = Uint8Array.of(...addressBytes(outputMint), ...addressBytes(vaultAta), 255);
    const wallet = { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 1_000_000_000n };
    this.put(USDC_DEVNET_MINT, { owner: TOKEN_PROGRAM, data: mintData(6) })
      .put(outputMint, { owner: tokenProgram, data: mintData(6) })
      .put(vault.address, { owner: EPHEMERAL_TOKEN_PROGRAM, data: vaultBytes })
      .put(vaultAta, { owner: tokenProgram, data: tokenAccountData(outputMint, vault.address, 0n) })
      .put(deriveTransferQueue(outputMint, VALIDATOR).address, {
        owner: DELEGATION_PROGRAM,
        data: queueData(outputMint),
      })
      .put(RENT_PDA, wallet)
      .put(user, wallet)
      .put(this.userInput, {
        owner: TOKEN_PROGRAM,
        data: tokenAccountData(USDC_DEVNET_MINT, user, 5_000_000n),
      });
  }

  override simulateTransaction(_wire: Uint8Array, watch: readonly Address[]): Promise<SimulationResult> {
    const { user, stash, stashAta, outputMint } = this;
    const old = (address: Address): Account => this.accounts.get(address) as Account;
    const rent = this.accounts.has(stashAta) ? 0n : LOCAL_RENT.minimum(165);
    const lost = { [user]: PAYOUT_LAMPORTS + this.extraLamports };
    lost[this.payer] = (lost[this.payer] ?? 0n) + this.fee + rent;
    const wallets = Object.entries(lost).map(([wallet, lamports]) => {
      const account = old(wallet as Address);
      return [wallet, { ...account, lamports: account.lamports - lamports }] as const;
    });
    const after: Record<Address, Account> = {
      ...Object.fromEntries(wallets),
      [this.userInput]: {
        ...old(this.userInput),
        data: tokenAccountData(USDC_DEVNET_MINT, user, 5_000_000n - this.paid),
      },
      [stash]: { ...old(user), lamports: PAYOUT_LAMPORTS },
      [stashAta]: {
        ...old(outputMint),
        lamports: LOCAL_RENT.minimum(165),
        data: tokenAccountData(outputMint, stash, this.got),
      },
    };
    const accounts = watch.map((address) => after[address] ?? this.accounts.get(address) ?? null);
    return Promise.resolve({ err: null, logs: [], computeUnits: 1, accounts });
  }

  /** Builds the upstream's transaction for a request. */
  swapOf({ destinationTokenAccount: destination, quoteResponse, payer }: SwapBody): string {
    const { inAmount, outAmount, slippageBps, fillers = this.fillers } = quoteResponse;
    const accounts = [signer(this.user), writable(this.userInput), writable(destination)];
    const others = Array.from({ length: fillers }, (_, index) => readonly(key(100 + index)));
    const data = jupiterRoute(BigInt(inAmount), BigInt(outAmount), slippageBps);
    const call = { programId: JUPITER_PROGRAM, accounts: [...accounts, ...others], data };
    const instructions = this.alter([setComputeUnitLimit(200_000), call]);
    const feePayer = payer ?? this.user;
    const source = { feePayer, blockhash: new Uint8Array(32).fill(9), instructions };
    return Buffer.from(encodeUnsignedTransaction(compileV0Message(source, ...this.tables))).toString(
      'base64',
    );
  }

  putTable(table: LookupTable): void {
    this.accounts.set(table.address, lookupTable(table.addresses));
    this.tables.push(table);
  }

  /** Creates the operation. Returns it with the requests that the upstream receives. */
  open() {
    const { requests, ...deps } = mainnetSwaps((request) => this.#answer(request), this);
    return { operation: createSwap({ ...deps, random: this.random }), requests };
  }

  #answer({ url, body }: UpstreamRequest) {
    if (url.pathname.endsWith('/quote')) {
      const quote = this.requote(Number(url.searchParams.get('maxAccounts')));
      const isRejected = typeof quote === 'object' && quote !== null && 'errorCode' in quote;
      return answerOf(quote, isRejected ? 400 : 200);
    }
    const swapTransaction = this.swapOf(JSON.parse(body ?? '') as SwapBody);
    return answerOf({ swapTransaction, lastValidBlockHeight: 500, prioritizationFeeLamports: 7 });
  }
}

function queueData(mint: Address): Uint8Array {
  const data = new Uint8Array(transferQueueBytes(1));
  data[0] = 1;
  data.set(addressBytes(mint), 8);
  data.set(addressBytes(VALIDATOR), 64);
  return data;
}

/** Sets the price of a compute unit, in micro-lamports. */
export function setPrice(microLamports: bigint): Instruction {
  const data = Buffer.alloc(9);
  data[0] = 3;
  data.writeBigUInt64LE(microLamports, 1);
  return { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}
