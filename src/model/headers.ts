/** HTTP headers with names in lower case; the values of a repeated header are joined with commas. */
export type Headers = Readonly<Record<string, string>>
