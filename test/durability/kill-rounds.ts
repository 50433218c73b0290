import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbeddedLedger } from '../../src/ledger/embedded-ledger.ts';
import { Keypair } from '../../src/ledger/keypair.ts';
import type { Head } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { SeededRandom } from '../../src/ledger/testing/seeded-random.ts';
import { systemClock } from '../../src/ports/clock.ts';
import { silentLogger } from '../../src/ports/logger.ts';
import { systemRandom } from '../../src/ports/random.ts';
import { SYSTEM_PROGRAM } from '../../src/programs/addresses.ts';
import { RENT_EXEMPT_EPOCH } from '../../src/solana/account.ts';
import { decodeTransaction } from '../../src/solana/transaction.ts';
import { assertProjectBuilt } from '../built.ts';

const SUBMITTER = fileURLToPath(new URL('submitter.mjs', import.meta.url));

/** The task of a submitter process. */
interface SubmitterTask {
  readonly folder: string;
  /** One wallet for each byte. Its ed25519 seed is that byte 32 times. */
  readonly seeds: readonly number[];
  /** Amount of the first transfer. Each further transfer moves one lamport more. */
  readonly firstLamports: number;
  /** Number of parallel submissions. */
  readonly inFlight: number;
  /** Length of a slot, in ms. */
  readonly slotMs: number;
}

const SEEDS = [1, 2, 3, 4, 5, 6];
const IN_FLIGHT = 24;

/** Slot duration, in ms. It is so short that each process uses several leases of slots. */
const SLOT_MS = 2;

/** Initial balance of each wallet. */
const LAMPORTS = 1_000_000_000_000n;

/** Fee per signature, in lamports. */
const FEE = 5_000n;

/** Maximum acknowledgements before a kill. A time limit would not work on a busy machine. */
const ACKNOWLEDGEMENTS_MAX = 100;

/** Number of blocks after its own for which a blockhash is valid (Agave `MAX_PROCESSING_AGE`). */
const BLOCKHASH_AGE_MAX = 150;

/** A transfer that a submitter was about to submit. */
interface Transfer {
  readonly signature: string;
  readonly from: number;
  readonly to: number;
  readonly lamports: bigint;
  readonly wire: Uint8Array;
}

/** The last head that a submitter reported. */
type ToldHead = Pick<Head, 'slot' | 'blockHeight' | 'blockhash'>;

/** The figures of kill rounds. */
interface KillFigures {
  readonly rounds: number;
  readonly submitted: number;
  readonly acknowledged: number;
  /** Transfers in the ledger at the end. */
  readonly landed: number;
  /** Acknowledged transfers that a reopened ledger did not have. */
  readonly lost: number;
  /** Transfers that landed more than once, or could be submitted a second time. */
  readonly duplicated: number;
  /** Wallets whose balance was not the sum of what landed, over all rounds. */
  readonly wrongBalances: number;
  /** Rounds after which the ledger was before a reported slot, height or unexpired blockhash. */
  readonly wentBack: number;
  /** Rounds with pending submissions at the kill. */
  readonly roundsInFlight: number;
}

const wallets = SEEDS.map((seed) => new Keypair(new Uint8Array(32).fill(seed)).address);

/** Kills a process that writes to a ledger `rounds` times, and checks the ledger after each kill. */
export async function runKillRounds(rounds: number, seed: string): Promise<KillFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'spl-kill-'));
  const random = new SeededRandom(seed);
  const chain = new KillChain(join(folder, 'ledger'), join(folder, 'copy'));
  try {
    await chain.begin();
    for (let round = 0; round < rounds; round++) {
      await chain.run(1 + random.integer(ACKNOWLEDGEMENTS_MAX), round);
    }
    return chain.figures();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A ledger whose writer is killed repeatedly. */
class KillChain {
  readonly #folder: string;
  readonly #copy: string;
  readonly #transfers: Transfer[] = [];
  readonly #acknowledged = new Set<string>();
  readonly #landed = new Map<string, Transfer>();
  readonly #counts = {
    rounds: 0,
    lost: 0,
    duplicated: 0,
    wrongBalances: 0,
    wentBack: 0,
    roundsInFlight: 0,
  };

  constructor(folder: string, copy: string) {
    this.#folder = folder;
    this.#copy = copy;
  }

  async begin(): Promise<void> {
    const ledger = await open(this.#folder);
    const account = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), executable: false };
    const rich = { ...account, lamports: LAMPORTS, rentEpoch: RENT_EXEMPT_EPOCH };
    await ledger.setAccounts(wallets.map((address) => [address, rich]));
    await ledger.close();
  }

  /** Kills a submitter after `heard` acknowledgements and checks the ledger. */
  async run(heard: number, round: number): Promise<void> {
    const { transfers, acknowledged, told } = await submitUntilKilled(this.#folder, round, heard);
    this.#transfers.push(...transfers);
    for (const signature of acknowledged) this.#acknowledged.add(signature);
    this.#counts.rounds++;
    if (acknowledged.length < transfers.length) this.#counts.roundsInFlight++;
    // Checks a copy every other time, so the next submitter opens the ledger exactly as the kill left it.
    const looked = round % 2 === 0 ? this.#folder : this.#copyFolder();
    const ledger = await open(looked);
    try {
      this.#check(ledger);
      if (isBefore(ledger, told)) this.#counts.wentBack++;
      for (const { wire, signature } of transfers) {
        if (!this.#landed.has(signature)) continue;
        if ((await ledger.submit(decodeTransaction(wire))).landed) this.#counts.duplicated++;
      }
    } finally {
      await ledger.close();
    }
  }

  figures(): KillFigures {
    return {
      ...this.#counts,
      submitted: this.#transfers.length,
      acknowledged: this.#acknowledged.size,
      landed: this.#landed.size,
    };
  }

  #copyFolder(): string {
    rmSync(this.#copy, { recursive: true, force: true });
    cpSync(this.#folder, this.#copy, {
      recursive: true,
      filter: (file) => !file.endsWith('-lock'),
    });
    return this.#copy;
  }

  /** Checks balances: each must be the initial balance plus the effects and fees of landed transfers. */
  #check(ledger: EmbeddedLedger): void {
    const balances = wallets.map(() => LAMPORTS);
    for (const transfer of this.#transfers) {
      const { signature, from, to, lamports } = transfer;
      if (ledger.getTransaction(signature) === null) {
        if (this.#acknowledged.has(signature) || this.#landed.has(signature)) this.#counts.lost++;
        continue;
      }
      this.#landed.set(signature, transfer);
      balances[from] = (balances[from] as bigint) - lamports - FEE;
      balances[to] = (balances[to] as bigint) + lamports;
    }
    this.#counts.duplicated += ledger.transactionCount() - this.#landed.size;
    for (const [index, address] of wallets.entries()) {
      if (ledger.getAccount(address)?.lamports !== balances[index]) this.#counts.wrongBalances++;
    }
  }
}

/** Returns whether a ledger is before a reported head. */
function isBefore(ledger: EmbeddedLedger, told: ToldHead): boolean {
  const { slot, blockHeight } = ledger.head();
  if (slot <= told.slot || blockHeight <= told.blockHeight) return true;
  const isExpired = blockHeight > told.blockHeight + BLOCKHASH_AGE_MAX;
  return !isExpired && !ledger.isBlockhashValid(told.blockhash);
}

async function open(folder: string): Promise<EmbeddedLedger> {
  return await openLedger({
    place: { folder },
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    genesis: { accounts: () => [] },
  });
}

/** Runs a submitter and kills it after a number of acknowledgements. */
async function submitUntilKilled(
  folder: string,
  round: number,
  heard: number,
): Promise<{ transfers: Transfer[]; acknowledged: string[]; told: ToldHead }> {
  const firstLamports = (round + 1) * 100_000;
  const task: SubmitterTask = {
    folder,
    seeds: SEEDS,
    firstLamports,
    inFlight: IN_FLIGHT,
    slotMs: SLOT_MS,
  };
  assertProjectBuilt();
  const child = spawn(process.execPath, [SUBMITTER, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  let acknowledgements = 0;
  let lineAt = 0;
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    output += text;
    for (let end = output.indexOf('\n', lineAt); end >= 0; end = output.indexOf('\n', lineAt)) {
      if (output.startsWith('a ', lineAt)) acknowledgements++;
      lineAt = end + 1;
    }
    if (acknowledgements >= heard) child.kill('SIGKILL');
  });
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal !== 'SIGKILL') throw new Error(`the submitter ended by itself: ${errors}`);
  // The last line may be incomplete. Relevant lines were complete before their acknowledgement.
  const lines = output
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '));
  const [, slot, blockHeight, blockhash] = lines.findLast(([kind]) => kind === 'h') ?? [];
  return {
    told: { slot: Number(slot), blockHeight: Number(blockHeight), blockhash: String(blockhash) },
    transfers: lines.filter(([kind]) => kind === 's').map(parseTransfer),
    acknowledged: lines.filter(([kind]) => kind === 'a').map(([, signature]) => String(signature)),
  };
}

function parseTransfer(line: readonly string[]): Transfer {
  const [, signature, from, to, lamports, wire] = line as [string, string, string, string, string, string];
  return {
    signature,
    from: Number(from),
    to: Number(to),
    lamports: BigInt(lamports),
    wire: new Uint8Array(Buffer.from(wire, 'base64')),
  };
}
