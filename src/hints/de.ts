import type { en } from './en.ts'

/** The hints in German. `tool` and `field` are names, so they are not translated. */
export const de = {
  hint_auth_001:
    'Verwende gültige Zugangsdaten: bei HTTP 401 den Gateway-Schlüssel oder das eigene Token, sonst das Token des Dienstes.',
  hint_forbidden_001: 'Nicht wiederholen; bitte um Zugriff oder nimm ein anderes Konto.',
  hint_approval_required_001:
    'Warte, bis ein Mensch den Aufruf genehmigt hat, und sende ihn dann noch einmal.',
  hint_not_found_001:
    'Prüfe die Namen in der Eingabe; was diese Zugangsdaten nicht sehen dürfen, sieht genauso aus.',
  hint_validation_001: 'Berichtige die Felder, die der Fehler nennt, nach dem Eingabeschema.',
  hint_conflict_001:
    'Lies zuerst den jetzigen Zustand und entscheide dann, ob du die Änderung noch willst.',
  hint_too_large_001:
    'Sende oder verlange weniger: wähle mit fields weniger Felder oder erhöhe token_budget.',
  hint_rate_limit_001:
    'Warte so lange, wie der Fehler sagt, und sende dann denselben Aufruf noch einmal.',
  hint_timeout_001:
    'Wiederhole ein Lesen; bei einer Änderung finde vorher heraus, ob sie schon wirksam ist.',
  hint_network_001:
    'Wiederhole ein Lesen gleich; bei einer Änderung prüfe vorher, ob sie schon wirksam ist.',
  hint_server_001:
    'Wiederhole ein Lesen später; bei einer Änderung prüfe vorher, ob sie schon wirksam ist.',
  hint_server_002:
    'Es wurde nichts gesendet: Warte so lange, wie der Fehler sagt, und sende dann denselben Aufruf noch einmal.',
  hint_not_ready_001:
    'Der Dienst hat die Anfrage angenommen und arbeitet noch daran; rufe gleich noch einmal auf.',
  hint_output_invalid_001: 'Melde dem Betreiber: Die Antwort des Dienstes passt nicht zur Karte.',
  hint_adapter_unsupported_001:
    'Lass route weg oder bitte den Betreiber, das Genannte zu installieren.',
  hint_cancelled_001:
    'Der Aufruf wurde vor der Antwort abgebrochen; rufe noch einmal auf, wenn du sie noch willst.',
  hint_unknown_001: 'Nenne dem Betreiber die Kennung der Anfrage; das Journal zeigt, was geschah.',
} as const satisfies Record<keyof typeof en, string>
