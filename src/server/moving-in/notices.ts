/** Texts of WhatsApp itself about a group, in Spanish and English. */
const notices = new RegExp(
  [
    // People who come and go.
    '(?:^| )(?:añadi|agreg|elimin|expuls|quit|sac)(?:ó|aste|ste) a ',
    '(?:^| )te (?:añadió|agregó|eliminó|expulsó|quitó|sacó)',
    '(?:se|fue|fuiste|fueron) (?:añadi|agrega|elimina)(?:ó|d[oa]s?)(?: |$)',
    '(?: salió|^saliste|abandonó)(?: del grupo| el grupo)?\\.?$',
    '(?:se unió|te uniste|se unieron) (?:al|con|mediante|usando|por|a través|desde)',
    '(?:solicitó|solicitaste|solicitaron) unirse',
    ' (?:added|removed) \\S|was (?:added|removed)|(?: left|^you left)(?: the group)?\\.?$',
    'joined (?:using|via|from|this group)|requested to join',
    // Changes of the group.
    '(?:creó|creaste) (?:el|este|un) grupo|created (?:this |the )?group',
    '(?:cambió|cambiaste|eliminó|eliminaste|editó) (?:el (?:nombre|asunto|[ií]cono)|la (?:descripción|foto|imagen|configuración|duración)|los ajustes)',
    '(?:cambió|cambiaste) (?:a un|su|tu) (?:nuevo )?número|changed (?:the|this|their|to|your) ',
    'código de seguridad|security code',
    '(?:eres|es|son) (?:el )?admin|(?:now|longer) an admin',
    '(?:fijó|fijaste) un mensaje|pinned a message',
    '(?:^| )(?:des)?activ(?:ó|aste) (?:el|la|los) |turned (?:on|off) ',
    'mensajes temporales|disappearing messages',
    // Encryption and calls.
    'de extremo a extremo|end-to-end encrypted',
    '^(?:video)?llamada[a-z ]* perdida|^missed (?:group )?(?:voice|video)',
    '(?:comenzó|inició|iniciaste|started) (?:a|una) (?:call|(?:video)?llamada|video call)',
  ].join('|'),
  'i',
);
/** The notice about encryption, with which exports begin. */
const encryption =
  /^(?:los mensajes|las llamadas|messages|calls)[^.\n]{0,100}(?:extremo a extremo|end-to-end)/i;
const calls =
  /^(?:(?:video)?llamada(?: de voz| grupal)?(?:[,.]| perdida)|(?:missed )?(?:group )?(?:video|voice) (?:call|chat)(?:[,.]|$| at))/i;
/** No notice is longer, even with two names of groups. */
const longestNotice = 400;

/** Whether a text that no person wrote is a notice about the group. */
export const isNotice = (text: string) => notices.test(text.slice(0, longestNotice));
export const isEncryptionNotice = (text: string) => encryption.test(text);
/** Whether a text that WhatsApp marked as its own tells of a call. */
export const isCall = (text: string) => calls.test(text);
