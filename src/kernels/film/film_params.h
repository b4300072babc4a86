/* film_params.h -- films of surfactants, for kernels; species/film_step.c fills it in. */
#ifndef MN_KERNEL_FILM_PARAMS_H
#define MN_KERNEL_FILM_PARAMS_H

typedef struct film_params {
    int acts; /* 1: a film changes tension, adhesion and friction (film_factor.h) */
} film_params;

#endif
