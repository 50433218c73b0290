import type { Config } from '../config/config.ts';
import type { Logger } from '../ports/logger.ts';
import { findingsOfCluster } from './verbs/doctor/cluster-findings.ts';

/**
 * Compares each configured cluster with what this build knows (rent, slot time, finality, programs) and logs
 * one line of what is as expected, and a warning for whatever is not. Nothing waits for it: a cluster that
 * does not answer is a warning too.
 */
export async function logClusters(
  { baseRpcUrl, baseDevnetRpcUrl }: Pick<Config, 'baseRpcUrl' | 'baseDevnetRpcUrl'>,
  logger: Logger,
): Promise<void> {
  const settings = { BASE_RPC_URL: baseRpcUrl, BASE_DEVNET_RPC_URL: baseDevnetRpcUrl };
  for (const [setting, urls] of Object.entries(settings)) {
    const [url] = urls.reveal();
    if (url === undefined) continue;
    const findings = await findingsOfCluster({ name: setting, url });
    const expected = findings.filter(({ level }) => level === 'ok');
    const facts = Object.fromEntries(expected.map(({ what, found }) => [what, found]));
    const answers = findings.every(({ what, level }) => what !== 'rent' || level === 'ok');
    if (answers) logger.info({ setting, ...facts }, 'the cluster is as this build expects');
    for (const { level, what, found, mend } of findings)
      if (level !== 'ok') logger.warn({ setting, what, mend }, `the cluster differs: ${what}: ${found}`);
  }
}
