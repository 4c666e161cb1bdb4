// Runs on the page of the API's description: Swagger UI has no other languages than English. Its
// headings, buttons and hints are replaced as it renders them; other text is the description's own.
(() => {
  const spanish = {
    Authorize: 'Autorizar',
    Authorized: 'Autorizado',
    'Available authorizations': 'Autorizaciones',
    'Basic authorization': 'Autorización básica',
    Cancel: 'Cancelar',
    Clear: 'Borrar',
    Close: 'Cerrar',
    Code: 'Código',
    'Collapse all': 'Plegar todo',
    Controls: 'Decide la cabecera',
    Curl: 'curl',
    'Curl (bash)': 'curl (bash)',
    Description: 'Descripción',
    Details: 'Detalles',
    Download: 'Descargar',
    Error: 'Error',
    'Example Value': 'Ejemplo',
    'Expand all': 'Desplegar todo',
    Examples: 'Ejemplos',
    Execute: 'Enviar',
    Headers: 'Cabeceras',
    'Loading...': 'Cargando…',
    Loading: 'Cargando…',
    Links: 'Enlaces',
    Logout: 'Salir',
    'Media type': 'Tipo de contenido',
    Name: 'Nombre',
    'No links': 'Ninguno',
    'No parameters': 'Sin parámetros',
    Parameters: 'Parámetros',
    Password: 'Contraseña',
    'Request body': 'Cuerpo de la petición',
    'Request URL': 'Dirección de la petición',
    Reset: 'Restablecer',
    'Response body': 'Cuerpo de la respuesta',
    'Response headers': 'Cabeceras de la respuesta',
    Responses: 'Respuestas',
    Schema: 'Esquema',
    Schemas: 'Esquemas',
    'Send empty value': 'Enviar sin valor',
    'Server response': 'Respuesta del servidor',
    Servers: 'Servidores',
    'Try it out': 'Probar',
    Undocumented: 'Sin describir',
    Username: 'Usuario',
    Value: 'Valor',
    'Default Response': 'Otra respuesta',
    'Default value': 'Valor por defecto',
    'header.': '.',
    required: 'obligatorio',
  };
  const labels = ['aria-label', 'placeholder', 'title'];

  const translated = (text) => {
    // Swagger UI ends some of its texts with a colon or a space.
    const trimmed = text.trim();
    const words = trimmed.endsWith(':') ? trimmed.slice(0, -1).trimEnd() : trimmed;
    return Object.hasOwn(spanish, words) ? text.replace(words, () => spanish[words]) : text;
  };
  const translateText = (node) => {
    const text = translated(node.data);
    if (text !== node.data) node.data = text;
  };
  const translate = (node) => {
    if (node.nodeType === Node.TEXT_NODE) translateText(node);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    for (const name of labels) {
      const label = node.getAttribute(name);
      if (label && translated(label) !== label) node.setAttribute(name, translated(label));
    }
    for (const child of node.childNodes) translate(child);
  };

  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'childList') for (const node of addedNodes) translate(node);
      else translate(target);
    }
  }).observe(document.body, {
    attributeFilter: labels,
    characterData: true,
    childList: true,
    subtree: true,
  });
  translate(document.body);
})();
