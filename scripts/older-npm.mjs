/** The npm version of Node 20, the oldest supported Node. */
export const OLDEST_NPM = '10.8.2';

/** The command that runs one version of npm, fetched with npx: the program and its first arguments. */
export const npmAt = (version) => ['npx', '-y', `npm@${version}`];
