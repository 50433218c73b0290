import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { isServiceError } from '../../../errors/service-error.ts';
import {
  areOfPackage,
  readClusterPrograms,
  untestedPrograms,
} from '../../../ledger/network-programs/network-programs.ts';
import { openClusterAccounts } from '../../../ledger/provision/clone-accounts.ts';
import { systemClock } from '../../../ports/clock.ts';
import { type Logger, silentLogger } from '../../../ports/logger.ts';
import { systemRandom } from '../../../ports/random.ts';
import { decodeRent, RENT_SYSVAR } from '../../../programs/sysvars.ts';
import { callNode } from '../node-rpc.ts';
import type { Finding } from './machine-findings.ts';

interface Node {
  readonly name: string;
  readonly url: URL;
}

/** Number of blocks for which a blockhash is valid (Agave `MAX_PROCESSING_AGE`). */
const BLOCKHASH_BLOCKS = 150;

/** Minimum slot time that the checks accept, in ms. SIMD-0525 shortens slots from 400 to 200. */
const SLOT_MS_MIN = 150;
const SLOT_MS_MAX = 600;

/** Checks facts that differ between clusters or may change. */
export async function findingsOfCluster(node: Node): Promise<Finding[]> {
  return await Promise.all([findRent(node), findSlotTime(node), findPrograms(node)]);
}

async function findRent({ name, url }: Node): Promise<Finding> {
  const what = 'rent';
  try {
    const source = openAccounts({ name, url });
    const [account = null] = await source.getAccounts([RENT_SYSVAR]).finally(() => source.close());
    const rent = decodeRent(account);
    if (rent !== null) return { level: 'ok', what, found: `${rent.lamportsPerByte} lamports per byte` };
  } catch (error) {
    if (!isServiceError(error)) throw error;
  }
  return {
    level: 'fault',
    what,
    found: 'the Rent sysvar cannot be read',
    fix: 'Use a node that returns it: transactions that create accounts need it.',
  };
}

const samplesAnswer = z.array(z.object({ numSlots: z.int().min(0), samplePeriodSecs: z.int().min(0) }));

async function findSlotTime(node: Node): Promise<Finding> {
  const what = 'slots';
  const samples = await ask(node, 'getRecentPerformanceSamples', [10]);
  const read = samplesAnswer.safeParse(samples).data ?? [];
  const slots = read.reduce((sum, { numSlots }) => sum + numSlots, 0);
  const seconds = read.reduce((sum, { samplePeriodSecs }) => sum + samplePeriodSecs, 0);
  if (slots === 0 || seconds === 0) return { level: 'ok', what, found: 'slot time not known yet' };
  const slotMs = (seconds * 1_000) / slots;
  const lasts = Math.round((slotMs * BLOCKHASH_BLOCKS) / 1_000);
  const found = `${Math.round(slotMs)} ms each, so a blockhash lasts about ${lasts} s`;
  if (slotMs >= SLOT_MS_MIN && slotMs <= SLOT_MS_MAX) return { level: 'ok', what, found };
  const fix = `Answers from several nodes can be compared only for slots of ${SLOT_MS_MIN} to ${SLOT_MS_MAX} ms: configure one node only.`;
  return { level: 'hint', what, found, fix };
}

const PROGRAMS = 'deployed programs';

async function findPrograms(node: Node): Promise<Finding> {
  const what = PROGRAMS;
  const source = openAccounts(node);
  try {
    const dumps = await readClusterPrograms(source);
    if (areOfPackage(dumps)) return { level: 'ok', what, found: 'layout a' };
    const untested = untestedPrograms(dumps);
    if (untested.length === 0) return { level: 'ok', what, found: 'layout b, tested versions' };
    return {
      level: 'hint',
      what,
      found: `${untested.join(' and ')} ${untested.length === 1 ? 'is not a tested version' : 'are not tested versions'}`,
      fix: 'Run "explain" on each kind of payment before you rely on it: it also simulates the payment.',
    };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    if (error.code !== 'PROVISION_INVALID') return { level: 'hint', what, found: 'they cannot be read' };
    return { level: 'fault', what, found: 'some programs for private payments are missing' };
  } finally {
    source.close();
  }
}

const openAccounts = ({ name, url }: Node) =>
  openClusterAccounts(url, { clock: systemClock, random: systemRandom, logger: silentLogger }, name);

/** Calls a node; returns undefined if it does not answer or does not support the method. */
async function ask(node: Node, method: string, params: readonly number[] = []): Promise<unknown> {
  try {
    return await callNode(node, method, params);
  } catch (error) {
    if (isServiceError(error)) return undefined;
    throw error;
  }
}

/**
 * Compares each configured cluster with this build's expectations (rent, slot time, programs). Logs one line
 * for all matches, and a warning for each difference or missing response.
 */
export async function logClusters(
  config: Pick<Config, 'baseRpcUrl' | 'baseDevnetRpcUrl' | 'baseLayout' | 'baseDevnetLayout'>,
  logger: Logger,
): Promise<void> {
  const { baseRpcUrl, baseDevnetRpcUrl, baseLayout, baseDevnetLayout } = config;
  const settings = [
    ['BASE_RPC_URL', baseRpcUrl, 'BASE_LAYOUT', baseLayout],
    ['BASE_DEVNET_RPC_URL', baseDevnetRpcUrl, 'BASE_DEVNET_LAYOUT', baseDevnetLayout],
  ] as const;
  for (const [setting, urls, layoutSetting, layout] of settings) {
    const [url] = urls.reveal();
    if (url === undefined) continue;
    const read = await findingsOfCluster({ name: setting, url });
    const findings = read.map((finding) => compareLayout(finding, layoutSetting, layout));
    const expected = findings.filter(({ level }) => level === 'ok');
    const facts = Object.fromEntries(expected.map(({ what, found }) => [what, found]));
    const answers = findings.every(({ what, level }) => what !== 'rent' || level === 'ok');
    if (answers) logger.info({ setting, ...facts }, 'the cluster matches this build');
    for (const { level, what, found, fix } of findings)
      if (level !== 'ok')
        logger.warn({ setting, what, fix }, `the cluster does not match this build: ${what}: ${found}`);
  }
}

/** Replaces a finding about deployed programs if the service builds for a different layout. */
function compareLayout(finding: Finding, setting: string, layout: string): Finding {
  const { what, found } = finding;
  const [, deployed] = /^layout ([ab])/.exec(what === PROGRAMS ? found : '') ?? [];
  if (deployed === undefined || deployed === layout) return finding;
  const fix = `Set ${setting}=${deployed}, or every transaction that this service builds fails.`;
  return { level: 'fault', what, found, fix };
}
