/* free_pieces.h -- pieces of liquid that touch nothing, and forces that keep the momentum and the spin of each. */
#ifndef MN_METHODS_FREE_PIECES_H
#define MN_METHODS_FREE_PIECES_H

#include "core/world.h"

/* The largest ones, of 8 particles or more; all that is not among them counts as one, whose spin is as it comes. */
typedef struct mn_pieces {
    float label[16];
    int count, particles;
    bool known;
} mn_pieces;

/* piece_force = (force, mass) of each particle: takes off the acceleration and the change of turning that each piece
 * would give itself. Scenes without walls, bodies, solids and periodic faces. total: the sum of piece_force. */
void mn_pieces_balance(mn_world *w, mn_pieces *p, const double total[4]);

#endif
