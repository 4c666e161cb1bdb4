export interface DemoPerson {
  /** Identifies the author in the conversations; also the local part of the e-mail address. */
  key: string;
  name: string;
  email: string;
  /** Seed of the portrait; without it, the person has the default avatar. */
  faceSeed?: string;
}

const person = (key: string, name: string, faceSeed?: string): DemoPerson => ({
  key,
  name,
  email: `${key}@ejemplo.es`,
  ...(faceSeed ? { faceSeed } : {}),
});

export const demoPeople: readonly DemoPerson[] = [
  person('lucia', 'Lucía Herrero', 's102'),
  person('tomas', 'Tomás Ibáñez', 's125'),
  person('carmen', 'Carmen Ávila', 's144'),
  person('ignacio', 'Ignacio Peña', 's104'),
  person('noa', 'Noa Ferrer', 's154'),
  person('inigo', 'Íñigo Zabala', 's122'),
  person('merce', 'Mercè Puigdomènech', 's107'),
  person('joaquin', 'Joaquín Núñez', 's121'),
  person('ximena', 'Ximena Quispe Mamani', 's101'),
  person('martin', 'Martín Echeverría', 's137'),
  person('valentina', 'Valentina Muñoz', 's145'),
  person('rocio', 'Rocío Bermúdez', 's159'),
  person('anxo', 'Anxo Freire', 's130'),
  person('guadalupe', 'Guadalupe Ríos Peralta', 's142'),
  person('andres', 'Andrés Castaño', 's128'),
  person('begona', 'Begoña Sáenz de Urturi', 's140'),
  person('oscar', 'Óscar Güell'),
  person('pilar', 'Pilar Yáñez', 's113'),
  person('hector', 'Héctor Villaseñor'),
  person('amparo', 'Amparo Cañizares', 's146'),
];
