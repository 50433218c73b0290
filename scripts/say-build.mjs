/** What `npm start` says before it builds, of which nothing else is seen. On stderr: stdout is for scripts. */
process.stderr.write(
  'Building the program from its sources: half a minute the first time, some seconds after that ...\n',
);
