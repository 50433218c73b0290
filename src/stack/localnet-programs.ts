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
import { openClusterAccounts } from '../ledger/provision/clone-accounts.ts';
import type { Address } from '../solana/address.ts';
import type { Ports } from './node.ts';

interface LocalnetProgramsOptions {
  readonly config: Pick<Config, 'localnetPrograms'>;
  readonly ports: Ports;
  /** The stored facts about the ledger's programs. */
  readonly kept: ProgramMemory;
  /** Whether to deploy the given programs to a stored ledger that has others. */
  readonly isUpgrade: boolean;
}

/**
 * The programs of private payments on localnet: those of layout B if the operator names them or the ledger
 * has them, otherwise those of layout A.
 */
export class LocalnetPrograms {
  readonly #given: GivenPrograms | null;
  readonly #options: LocalnetProgramsOptions;
  /** The layout B programs of a new ledger; null for layout A. */
  #ofNewLedger: ProgramDumps | null;

  private constructor(given: GivenPrograms | null, options: LocalnetProgramsOptions) {
    this.#given = given;
    this.#options = options;
    this.#ofNewLedger = given === null ? null : given.dumps;
  }

  /**
   * Reads the programs that the operator names, and tests them.
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

  /** The layout B programs of a new ledger; null for layout A. */
  get ofNewLedger(): ProgramDumps | null {
    return this.#ofNewLedger;
  }

  /**
   * Deploys the named programs to an open ledger that has others, if `isUpgrade` is set. A later reset keeps
   * them.
   *
   * @returns the layout of the ledger's programs.
   * @throws {ServiceError} PROVISION_INVALID if it has others and cannot or must not be upgraded;
   *   LEDGER_FOLDER_UNREADABLE if the facts about them cannot be stored.
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
    // Stored before the deployment: otherwise the next start would compare the new with the old programs.
    if (!given.isStored) this.#keep(given.dumps, given.source);
    if (differing !== null && differing.length > 0) await deploy(ledger, given.dumps, differing);
    return 'b';
  }

  /** The layout of a stored ledger if no programs are named. */
  async #goOn(present: ProgramDumps | null): Promise<Layout> {
    if (present === null || (await this.#layoutOf(present)) === 'a') return 'a';
    if (!this.#options.kept.isKnownToFit(present)) this.#keep(present, null);
    this.#ofNewLedger = present;
    return 'b';
  }

  /** The layout of a ledger's programs. Anything that is not layout B counts as layout A. */
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
        `The facts about the ledger's programs cannot be written to ${kept.place}: ${(cause as Error).message}. Check the permissions and the free space`,
        { folder: kept.place },
        { cause },
      );
    }
  }
}

/** Whether the programs of a ledger are layout B. Programs that the engine cannot load are not. */
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

/** Replaces programs in one durable commit. */
async function deploy(
  ledger: Pick<EmbeddedLedger, 'setOwnAccounts'>,
  dumps: ProgramDumps,
  programs: readonly Address[],
): Promise<void> {
  await ledger.setOwnAccounts(
    programs.flatMap((program) => programAccounts(program, dumps.get(program) ?? new Uint8Array(0))),
  );
}
