import type { Layout } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { programAccounts } from '../ledger/genesis/program-accounts.ts';
import { assertUpgradeable, findMisfits, requireLayoutB } from '../ledger/network-programs/judge-programs.ts';
import {
  type GivenPrograms,
  programsOfCluster,
  programsOfFolder,
} from '../ledger/network-programs/obtain-programs.ts';
import type { ProgramMemory } from '../ledger/network-programs/program-memory.ts';
import {
  areOfPackage,
  differingPrograms,
  type ProgramDumps,
  readLedgerPrograms,
} from '../ledger/network-programs/program-set.ts';
import { openClusterAccounts } from '../ledger/provision/cluster-accounts.ts';
import type { Address } from '../solana/address.ts';
import type { Ports } from './ports.ts';

/** What the programs of a ledger are found by. */
interface LocalnetProgramsOptions {
  readonly config: Pick<Config, 'localnetPrograms'>;
  readonly ports: Ports;
  /** Where it is kept what is known of the programs of the ledger. */
  readonly kept: ProgramMemory;
  /** Whether a kept ledger that has others gets those that are given. */
  readonly isUpgrade: boolean;
}

/**
 * The programs of private payments that localnet runs: those of layout B where the operator gives them, or
 * where its ledger has them, else those of layout A.
 */
export class LocalnetPrograms {
  readonly #given: GivenPrograms | null;
  readonly #options: LocalnetProgramsOptions;
  /** Those of layout B that a ledger begins with which is begun now; null for those of layout A. */
  #ofNewLedger: ProgramDumps | null;

  private constructor(given: GivenPrograms | null, options: LocalnetProgramsOptions) {
    this.#given = given;
    this.#options = options;
    this.#ofNewLedger = given === null ? null : given.dumps;
  }

  /**
   * Reads what the operator gives, and tries whether it fits.
   *
   * @throws {ServiceError} PROVISION_INVALID, UPSTREAM_*.
   */
  static async open(options: LocalnetProgramsOptions): Promise<LocalnetPrograms> {
    const given = await readGiven(options);
    if (given !== null && !options.kept.isKnownToFit(given.dumps)) {
      await requireLayoutB(given.dumps, given.nameOf);
    }
    return new LocalnetPrograms(given, options);
  }

  /** Those of layout B that a ledger begins with which is begun now; null for those of layout A. */
  get ofNewLedger(): ProgramDumps | null {
    return this.#ofNewLedger;
  }

  /**
   * Puts the programs that are given on an open ledger, where it has others and that is wanted; answers the
   * layout of what it runs. From now on a ledger that is begun in its place has these as well.
   *
   * @throws {ServiceError} PROVISION_INVALID where it has others and that is not wanted, or cannot be;
   *   LEDGER_FOLDER_UNREADABLE where what is known of them cannot be kept.
   */
  async settle(ledger: Pick<EmbeddedLedger, 'getAccount' | 'setOwnAccounts'>): Promise<Layout> {
    const present = readLedgerPrograms(ledger);
    const given = this.#given;
    if (given === null) return await this.#goOn(present);
    const differing = present === null ? null : differingPrograms(given.dumps, present);
    if (differing === null || differing.length > 0) {
      const layout = present === null ? null : await this.#layoutOf(present);
      const names = (differing ?? []).map(given.nameOf);
      assertUpgradeable(layout, names, this.#options.isUpgrade);
    }
    // Kept first: what is deployed without being kept would be held against the older ones at the next start.
    if (!given.isStored) this.#keep(given.dumps, given.source);
    if (differing !== null && differing.length > 0) await deploy(ledger, given.dumps, differing);
    return 'b';
  }

  /** The layout of programs that nobody names any more: a kept ledger goes on with what it has. */
  async #goOn(present: ProgramDumps | null): Promise<Layout> {
    if (present === null || (await this.#layoutOf(present)) === 'a') return 'a';
    if (!this.#options.kept.isKnownToFit(present)) this.#keep(present, null);
    this.#ofNewLedger = present;
    return 'b';
  }

  /** The layout of what a ledger runs. Whatever is not of layout B is taken for layout A. */
  async #layoutOf(present: ProgramDumps): Promise<Layout> {
    if (areOfPackage(present)) return 'a';
    return this.#options.kept.isKnownToFit(present) || (await isLayoutB(present)) ? 'b' : 'a';
  }

  /** @throws {ServiceError} LEDGER_FOLDER_UNREADABLE. */
  #keep(dumps: ProgramDumps, source: string | null): void {
    const { kept } = this.#options;
    try {
      kept.store(dumps, source);
    } catch (cause) {
      throw new ServiceError(
        'LEDGER_FOLDER_UNREADABLE',
        `What is known of the ledger's programs cannot be written to ${kept.place}: ${(cause as Error).message}. See to it that this user may write there and that there is room`,
        { folder: kept.place },
        { cause },
      );
    }
  }
}

/** Whether programs that are on a ledger are of layout B; those that no engine can load are not. */
async function isLayoutB(dumps: ProgramDumps): Promise<boolean> {
  try {
    return (await findMisfits(dumps)).length === 0;
  } catch (error) {
    if (isServiceError(error) && error.code === 'PROVISION_INVALID') return false;
    throw error;
  }
}

async function readGiven(options: LocalnetProgramsOptions): Promise<GivenPrograms | null> {
  const place = options.config.localnetPrograms;
  if (place === null) return null;
  if (place.kind === 'folder') return programsOfFolder(place.folder, options.kept);
  return await programsOfCluster({
    url: place.url.reveal(),
    memory: options.kept,
    isFresh: options.isUpgrade,
    open: (url) => openClusterAccounts(url, options.ports, 'the cluster of --programs'),
  });
}

/** Replaces programs in one commit, which is durable when this resolves. */
async function deploy(
  ledger: Pick<EmbeddedLedger, 'setOwnAccounts'>,
  dumps: ProgramDumps,
  programs: readonly Address[],
): Promise<void> {
  await ledger.setOwnAccounts(
    programs.flatMap((program) => programAccounts(program, dumps.get(program) ?? new Uint8Array(0))),
  );
}
