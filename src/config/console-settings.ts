import { isLoopback } from './loopback.ts';
import type { Settings } from './variables.ts';

/** The settings of whoever lets others in through a name or a proxy, by which HOST alone does not tell. */
function namesOfOthers({ publicUrl, trustedProxies, allowedHosts }: Omit<Reach, 'host'>): readonly string[] {
  return [
    ...(publicUrl === null ? [] : ['PUBLIC_URL']),
    ...(trustedProxies.length === 0 ? [] : ['TRUSTED_PROXIES']),
    ...(allowedHosts.length === 0 ? [] : ['ALLOWED_HOSTS']),
  ];
}

/** What says whom the tool service is reached by. */
type Reach = Pick<Settings, 'host' | 'publicUrl' | 'trustedProxies' | 'allowedHosts'>;

/** Whether nobody but this machine reaches the tool service. Behind a proxy everybody is on loopback. */
export const isThisMachinesOwn = (reach: Reach): boolean =>
  isLoopback(reach.host) && namesOfOthers(reach).length === 0;

/**
 * Whether the tool service has the console: where CONSOLE does not say, only if nobody but this machine
 * reaches it.
 */
export const hasConsole = (settings: Settings): boolean => settings.console ?? isThisMachinesOwn(settings);

/** What callers ask for is shown to whoever reaches the console, so that nobody else may reach it. */
export function consoleFaults(settings: Settings): string[] {
  const { consoleLogArguments, host } = settings;
  if (!consoleLogArguments) return [];
  if (!isLoopback(host)) {
    return [
      `CONSOLE_LOG_ARGUMENTS is on while HOST ${host} is open to the network: bind to 127.0.0.1 or turn it off`,
    ];
  }
  const [name] = namesOfOthers(settings);
  if (name !== undefined) {
    return [
      `CONSOLE_LOG_ARGUMENTS is on while ${name} lets others than this machine in: unset ${name} or turn it off`,
    ];
  }
  return hasConsole(settings)
    ? []
    : ['CONSOLE_LOG_ARGUMENTS is on while CONSOLE is off: turn one of them around'];
}
