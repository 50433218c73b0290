import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveLedger } from '../chain/testing/ledger-upstream.ts';
import { readConfig } from '../config/config.ts';
import { networkProgramsGenesis } from '../ledger/genesis/genesis.ts';
import { programAccounts } from '../ledger/genesis/program-accounts.ts';
import { type ProgramDumps, readLedgerPrograms } from '../ledger/network-programs/network-programs.ts';
import {
  LAYOUT_B_FOLDER,
  layoutBDumps,
  NO_LAYOUT_B,
} from '../ledger/network-programs/testing/layout-b-dumps.ts';
import {
  folderWith,
  layoutADumps,
  rebuilt,
  hashesOf,
} from '../ledger/network-programs/testing/program-folder.ts';
import { temporaryFolder } from '../ledger/testing/temporary-folder.ts';
import { openTestLedger } from '../ledger/testing/test-ledger.ts';
import {
  EPHEMERAL_TOKEN_PROGRAM,
  LOCALNET_VALIDATOR,
  NOOP_PROGRAM,
  PERMISSION_PROGRAM,
} from '../programs/addresses.ts';
import {
  deriveFeesVault,
  deriveMagicFeeVault,
  deriveValidatorFeesVault,
} from '../programs/delegation/pdas.ts';
import { deriveRentPda } from '../programs/ephemeral-token/pdas.ts';
import { rollupValidatorOf } from '../rollup/validator-accounts.ts';
import { type LedgerNode, openLedgerNode } from './ledger-node.ts';
import { NOTHING_PROVIDED } from './provision-options.ts';
import { nodeContext } from './testing/node-context.ts';

/** Options for opening a ledger. Without programs none are set. */
interface Start {
  readonly programs?: string;
  readonly upgradePrograms?: boolean;
  readonly reset?: boolean;
}

/** Opens the ledger of a folder, answers what `look` found and closes it. */
async function visit<T>(
  folder: string,
  { programs = '', upgradePrograms = false, reset = false }: Start,
  look: (node: LedgerNode) => T | Promise<T>,
): Promise<T> {
  const config = readConfig({ DATA_DIR: folder, LOCALNET_PROGRAMS: programs });
  const provision = { ...NOTHING_PROVIDED, upgradePrograms };
  const node = await openLedgerNode(nodeContext(config), { reset, provision, endpoint: null });
  try {
    return await look(node);
  } finally {
    await node.close();
  }
}

/** The hashes of the programs of a ledger, for comparison with those of dumps. */
const programsOf = ({ ledger }: LedgerNode) => hashesOf(readLedgerPrograms(ledger) ?? new Map());
const layoutOf = (node: LedgerNode): string => node.chainWith(null).layout;
const genesisOf = ({ ledger }: LedgerNode): string => ledger.genesisHash;
const existing = (folder: string) => visit(folder, {}, genesisOf);

describe('a ledger without LOCALNET_PROGRAMS', () => {
  it('has layout A and the programs of the npm package, also when it is reopened', async () => {
    const folder = temporaryFolder();
    for (let start = 0; start < 2; start++) {
      await visit(folder, {}, (node) => {
        expect([node.layout, layoutOf(node)]).toEqual(['a', 'a']);
        expect(programsOf(node)).toEqual(hashesOf(layoutADumps()));
      });
    }
  });
});

describe('incompatible programs', () => {
  it('are rejected before a ledger is created or deleted', async () => {
    const folder = temporaryFolder();
    const programs = folderWith(layoutADumps());
    const genesis = await existing(folder);
    for (const reset of [false, true]) {
      await expect(visit(folder, { programs, reset }, genesisOf)).rejects.toMatchObject({
        code: 'PROVISION_INVALID',
        message: expect.stringContaining(`${join(programs, 'permission.so')} is an older version`),
      });
    }
    expect(await existing(folder)).toBe(genesis);
  });
});

describe.skipIf(LAYOUT_B_FOLDER === null)(`LOCALNET_PROGRAMS (needs ${NO_LAYOUT_B})`, () => {
  const own = LAYOUT_B_FOLDER ?? '';

  it('creates a ledger of layout B, with the accounts its programs need on base', async () => {
    await visit(temporaryFolder(), { programs: own }, (node) => {
      const { ledger } = node;
      expect([node.layout, layoutOf(node)]).toEqual(['b', 'b']);
      expect(programsOf(node)).toEqual(hashesOf(layoutBDumps()));
      const validator = rollupValidatorOf(ledger).address;
      for (const vault of [deriveFeesVault(), deriveMagicFeeVault(validator)]) {
        expect(ledger.getAccount(vault.address)?.data).toEqual(new Uint8Array(8));
      }
      expect(ledger.getAccount(deriveRentPda().address)?.lamports).toBe(1_000_000_000_000n);
    });
  });

  it.each([{ ROLLUP: 'external', EPHEMERAL_RPC_URL: 'http://127.0.0.1:9' }, { ROLLUP: 'off' }])(
    "has the programs that MagicBlock's validator calls on base: %j (bug: missing with off)",
    async (rollup) => {
      const config = readConfig({ DATA_DIR: temporaryFolder(), LOCALNET_PROGRAMS: own, ...rollup });
      const start = { reset: false, provision: NOTHING_PROVIDED, endpoint: null };
      const { ledger, close } = await openLedgerNode(nodeContext(config), start);
      try {
        expect(ledger.getAccount(NOOP_PROGRAM)?.executable).toBe(true);
        expect(ledger.getAccount(deriveValidatorFeesVault(LOCALNET_VALIDATOR).address)).not.toBeNull();
        // That validator makes its magic fee vault itself.
        expect(ledger.getAccount(deriveMagicFeeVault(LOCALNET_VALIDATOR).address)).toBeNull();
      } finally {
        await close();
      }
    },
  );

  it('is a property of the ledger, which keeps its programs without the setting', async () => {
    const folder = temporaryFolder();
    const genesis = await visit(folder, { programs: own }, genesisOf);
    await visit(folder, {}, async (node) => {
      expect([genesisOf(node), layoutOf(node)]).toEqual([genesis, 'b']);
      await node.ledger.resetLedger();
      expect(programsOf(node)).toEqual(hashesOf(layoutBDumps()));
      expect(node.ledger.getAccount(deriveRentPda().address)).not.toBeNull();
    });
  });

  it('does not change an existing ledger of layout A, also with --upgrade-programs, and names the fixes', async () => {
    const folder = temporaryFolder();
    const genesis = await existing(folder);
    for (const upgradePrograms of [false, true]) {
      await expect(visit(folder, { programs: own, upgradePrograms }, genesisOf)).rejects.toMatchObject({
        code: 'PROVISION_INVALID',
        message: expect.stringMatching(/programs of layout A.*cannot read.*--reset/),
      });
    }
    expect(await visit(folder, {}, (node) => [genesisOf(node), layoutOf(node)])).toEqual([genesis, 'a']);
    expect(await visit(folder, { programs: own, reset: true }, layoutOf)).toBe('b');
  });

  it("does not change a ledger of layout A with programs other than the package's", async () => {
    const folder = temporaryFolder();
    const older = rebuilt(layoutADumps(), PERMISSION_PROGRAM);
    await visit(folder, {}, async ({ ledger }) => {
      await ledger.setAccounts([...older].flatMap(([program, code]) => programAccounts(program, code)));
    });
    await expect(visit(folder, { programs: own, upgradePrograms: true }, genesisOf)).rejects.toThrow(
      'The existing ledger has the programs of layout A',
    );
    expect(await visit(folder, {}, (node) => [programsOf(node), layoutOf(node)])).toEqual([
      hashesOf(older),
      'a',
    ]);
  });

  it('rejects other versions on an existing ledger, with the file and both fixes', async () => {
    const folder = temporaryFolder();
    await visit(folder, { programs: own }, genesisOf);
    const programs = folderWith(rebuilt(layoutBDumps(), PERMISSION_PROGRAM));
    await expect(visit(folder, { programs }, genesisOf)).rejects.toMatchObject({
      code: 'PROVISION_INVALID',
      message: `Some programs of the existing ledger differ from --programs (LOCALNET_PROGRAMS): ${join(programs, 'permission.so')}. Deploy them with --upgrade-programs, or start a new ledger with --reset.`,
    });
    expect(await visit(folder, { programs: own }, programsOf)).toEqual(hashesOf(layoutBDumps()));
  });

  it('deploys other versions permanently with --upgrade-programs', async () => {
    const folder = temporaryFolder();
    const genesis = await visit(folder, { programs: own }, genesisOf);
    const newer = rebuilt(layoutBDumps(), EPHEMERAL_TOKEN_PROGRAM);
    const programs = folderWith(newer);
    expect(await visit(folder, { programs, upgradePrograms: true }, programsOf)).toEqual(hashesOf(newer));
    await visit(folder, { programs }, async (node) => {
      expect([genesisOf(node), programsOf(node), layoutOf(node)]).toEqual([genesis, hashesOf(newer), 'b']);
      await node.ledger.resetLedger();
      expect(programsOf(node)).toEqual(hashesOf(newer));
    });
    await expect(visit(folder, { programs: own }, genesisOf)).rejects.toThrow('--upgrade-programs');
  });

  it('rejects an existing ledger that was created without programs', async () => {
    const folder = temporaryFolder();
    const config = readConfig({ DATA_DIR: folder });
    const provision = { ...NOTHING_PROVIDED, genesisPrograms: false };
    const empty = await openLedgerNode(nodeContext(config), { reset: false, provision, endpoint: null });
    await empty.close();
    await expect(visit(folder, { programs: own, upgradePrograms: true }, genesisOf)).rejects.toThrow(
      'was created without the programs of private payments',
    );
  });

  describe('from a cluster', () => {
    /** A cluster that runs these programs. */
    async function serve(dumps: ProgramDumps): Promise<{ url: string; close(): Promise<void> }> {
      const { ledger } = await openTestLedger({ genesis: networkProgramsGenesis(dumps) });
      const server = await serveLedger(ledger);
      let closing: Promise<void> | undefined;
      const close = (): Promise<void> => (closing ??= server.close().then(() => ledger.close()));
      onTestFinished(close);
      return { url: server.url.href, close };
    }

    it('are read once: later starts need no cluster', async () => {
      const folder = temporaryFolder();
      const cluster = await serve(layoutBDumps());
      const genesis = await visit(folder, { programs: cluster.url }, genesisOf);
      await cluster.close();
      await visit(folder, { programs: cluster.url }, (node) => {
        expect([genesisOf(node), programsOf(node), layoutOf(node)]).toEqual([
          genesis,
          hashesOf(layoutBDumps()),
          'b',
        ]);
      });
    });

    it("are read again with --upgrade-programs, which deploys the cluster's current ones", async () => {
      const folder = temporaryFolder();
      const newer = rebuilt(layoutBDumps(), PERMISSION_PROGRAM);
      const { ledger } = await openTestLedger({ genesis: networkProgramsGenesis(layoutBDumps()) });
      onTestFinished(() => ledger.close());
      const server = await serveLedger(ledger);
      onTestFinished(() => server.close());
      const programs = server.url.href;
      await visit(folder, { programs }, genesisOf);
      await ledger.setAccounts([...newer].flatMap(([program, code]) => programAccounts(program, code)));
      expect(await visit(folder, { programs }, programsOf)).toEqual(hashesOf(layoutBDumps()));
      expect(await visit(folder, { programs, upgradePrograms: true }, programsOf)).toEqual(hashesOf(newer));
      expect(await visit(folder, { programs }, programsOf)).toEqual(hashesOf(newer));
    });

    it('are rejected if they are of layout A', async () => {
      const folder = temporaryFolder();
      const cluster = await serve(layoutADumps());
      await expect(visit(folder, { programs: cluster.url }, genesisOf)).rejects.toMatchObject({
        code: 'PROVISION_INVALID',
        message: expect.stringContaining('from the cluster in --programs is an older version'),
      });
    });

    it('fail if the cluster does not answer, without its URL in the error', async () => {
      const programs = 'http://127.0.0.1:9/?key=hidden';
      const refusal = visit(temporaryFolder(), { programs }, genesisOf);
      await expect(refusal).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
      await expect(refusal).rejects.toThrow('the cluster in --programs');
      await expect(refusal).rejects.not.toThrow('hidden');
    });
  });
});
