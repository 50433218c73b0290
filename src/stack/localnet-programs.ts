import type { Layout } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddedLedger } from '../ledger/embedded-ledger.ts';
import { programAccounts } from '../ledger/genesis/program-accounts.ts';
import { assertUpgradeable, layoutOf, requireLayoutB } from '../ledger/network-programs/layout-b.ts';
import {
  differingPrograms,
  type NamedPrograms,
  type ProgramDumps,
  programsOfCluster,
  programsOfFolder,
  readLedgerPrograms,
} from '../ledger/network-programs/network-programs.ts';
import { openClusterAccounts } from '../ledger/provision/clone-accounts.ts';
import type { Ports } from './node.ts';

interface LocalnetProgramsOptions {
  readonly config: Pick<Config, 'localnetPrograms'>;
  readonly ports: Ports;
  /** Whether to deploy the named programs to a stored ledger that has other programs. */
  readonly isUpgrade: boolean;
}

/** The programs of localnet: layout B if the operator or the ledger has chosen it, otherwise A. */
export class LocalnetPrograms {
  readonly #options: LocalnetProgramsOptions;
  /** The programs that the operator has named. */
  #named: Promise<NamedPrograms> | undefined;
  /** The layout B programs of the open ledger. A reset keeps them. */
  #ofLedger: ProgramDumps | null = null;

  constructor(options: LocalnetProgramsOptions) {
    this.#options = options;
  }

  /**
   * Returns the layout B programs of a new ledger; null for layout A.
   *
   * @throws {ServiceError} PROVISION_INVALID, UPSTREAM_*.
   */
  async ofNewLedger(): Promise<ProgramDumps | null> {
    if (this.#ofLedger !== null || this.#options.config.localnetPrograms === null) return this.#ofLedger;
    return (await this.#readNamed()).dumps;
  }

  /**
   * Deploys the named programs to an open ledger that has other programs, if `isUpgrade` is set. Reads the
   * programs of a cluster only for a new ledger and for an upgrade.
   *
   * @returns the layout of the ledger's programs.
   * @throws {ServiceError} PROVISION_INVALID if the ledger has other programs and is not upgraded;
   * UPSTREAM_*.
   */
  async settle(ledger: Pick<EmbeddedLedger, 'getAccount' | 'setOwnAccounts'>): Promise<Layout> {
    const { config, isUpgrade } = this.#options;
    const present = readLedgerPrograms(ledger);
    const layout = present && layoutOf(present);
    this.#ofLedger = layout === 'b' ? present : null;
    const place = config.localnetPrograms;
    if (place === null) return layout ?? 'a';
    if (layout === 'b' && place.kind === 'cluster' && !isUpgrade) return 'b';
    const { dumps, nameOf } = await this.#readNamed();
    const differing = present === null ? [...dumps.keys()] : differingPrograms(dumps, present);
    if (differing.length === 0) return 'b';
    assertUpgradeable(layout, differing.map(nameOf), isUpgrade);
    await ledger.setOwnAccounts(
      differing.flatMap((program) => programAccounts(program, dumps.get(program) as Uint8Array)),
    );
    this.#ofLedger = dumps;
    return 'b';
  }

  /** Reads the named programs once, and checks that they are of layout B. */
  #readNamed(): Promise<NamedPrograms> {
    this.#named ??= this.#read();
    return this.#named;
  }

  async #read(): Promise<NamedPrograms> {
    const { config, ports } = this.#options;
    const place = config.localnetPrograms as NonNullable<Config['localnetPrograms']>;
    const named =
      place.kind === 'folder'
        ? programsOfFolder(place.folder)
        : await programsOfCluster(
            openClusterAccounts(place.url.reveal(), ports, 'the cluster in --programs'),
          );
    requireLayoutB(named.dumps, named.nameOf);
    return named;
  }
}
