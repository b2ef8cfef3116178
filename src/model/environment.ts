/** The variables of the process, or those a test gives instead. */
export type Environment = Readonly<Record<string, string | undefined>>
