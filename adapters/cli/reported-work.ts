/** Lines that tools print on stdout when part of the work is done. */
const REPORTS = [
  /^https?:\/\/\S+$/, // gh, glab: the URL of the created object
  /^[\w.-]+\/[\w.:-]+ (?:created|configured|deleted|patched|replaced|scaled|labeled|annotated)\b/, // kubectl
  /: (?:creation|modifications|destruction) complete after /i, // terraform
  /\bok=\d+\s+changed=[1-9]/, // ansible's recap of a host
  /^(?:upload|copy|move|delete): \S+/, // aws s3
]

/** Whether a failed program reported finished work before it failed, which a retry would do twice. */
export function reportsWork(stdout: string): boolean {
  return stdout.split(/\r?\n/).some(line => REPORTS.some(report => report.test(line.trim())))
}
