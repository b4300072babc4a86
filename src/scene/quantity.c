/* quantity.c -- a recursive-descent reader of sums, products and units; see quantity.h.
 *
 *   sum     = product { (+|-) product }
 *   product = power { (*|/) power | unit }
 *   power   = atom [ ^ whole number ]
 *   atom    = number | pi | sqrt(sum) | (sum) | - power
 *   unit    = name [power] { [*| ] name [power] | / (name [power] | (unit)) }
 *
 * A quantity is number * factor * 10^ten, in the base units to the powers `power`. Number and scale are kept apart, so
 * that a value given in its key's own unit is not touched by rounding.
 */
#include "scene/quantity.h"
#include "base/message.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METRE, KILOGRAM, SECOND, MOLE, RADIAN, PIXEL, BASES };
enum { DEEPEST = 20, LARGEST_POWER = 60, LARGEST_TEN = 400, LONGEST_LITERAL = 60, LONGEST_NAME = 12 };

typedef struct scale {
    double factor;
    int ten;
    int power[BASES];
} scale;

typedef struct quantity {
    double number;
    scale scale;
    bool unit;          /* one was written */
    const char *digits; /* the text of a single decimal number, else NULL */
    int length;
    bool minus;
} quantity;

static const struct {
    const char *name, *help;
    bool prefixes;
    scale scale;
} units[] = {
    {"m", "length", true, {1, 0, {1}}},
    {"in", "inch, 25.4 mm", false, {254, -4, {1}}},
    {"ft", "foot, 304.8 mm", false, {3048, -4, {1}}},
    {"s", "time", true, {1, 0, {0, 0, 1}}},
    {"min", "60 s", false, {60, 0, {0, 0, 1}}},
    {"h", "3600 s", false, {3600, 0, {0, 0, 1}}},
    {"Hz", "1/s", true, {1, 0, {0, 0, -1}}},
    {"g", "mass", true, {1, -3, {0, 1}}},
    {"t", "1000 kg", false, {1, 3, {0, 1}}},
    {"N", "force, kg m/s^2", true, {1, 0, {1, 1, -2}}},
    {"dyn", "1e-5 N", false, {1, -5, {1, 1, -2}}},
    {"Pa", "pressure, N/m^2", true, {1, 0, {-1, 1, -2}}},
    {"bar", "1e5 Pa", true, {1, 5, {-1, 1, -2}}},
    {"J", "energy, N m", true, {1, 0, {2, 1, -2}}},
    {"l", "litre, 1e-3 m^3", true, {1, -3, {3}}},
    {"L", "litre", true, {1, -3, {3}}},
    {"P", "poise, 0.1 Pa s", true, {1, -1, {-1, 1, -1}}},
    {"St", "stokes, 1e-4 m^2/s", true, {1, -4, {2, 0, -1}}},
    {"mol", "amount", true, {1, 0, {0, 0, 0, 1}}},
    {"rad", "angle", true, {1, 0, {0, 0, 0, 0, 1}}},
    {"deg", "degree, pi/180 rad", false, {M_PI / 180, 0, {0, 0, 0, 0, 1}}},
    {"degree", "the same", false, {M_PI / 180, 0, {0, 0, 0, 0, 1}}},
    {"degrees", "the same", false, {M_PI / 180, 0, {0, 0, 0, 0, 1}}},
    {"\302\260", "the same", false, {M_PI / 180, 0, {0, 0, 0, 0, 1}}},
    {"rev", "turn, 2 pi rad", false, {2 * M_PI, 0, {0, 0, 0, 0, 1}}},
    {"rpm", "turns a minute, 2 pi/60 rad/s", false, {2 * M_PI / 60, 0, {0, 0, -1, 0, 1}}},
    {"%", "1/100", false, {1, -2, {0}}},
    {"pixels", "of a picture", false, {1, 0, {0, 0, 0, 0, 0, 1}}},
    {"px", "the same", false, {1, 0, {0, 0, 0, 0, 0, 1}}},
};
enum { UNITS = sizeof units / sizeof *units };

static const struct {
    const char *name;
    int ten;
} prefixes[] = {{"n", -9}, {"u", -6}, {"\302\265", -6}, {"\316\274", -6}, {"m", -3},
                {"c", -2}, {"d", -1}, {"k", 3},         {"M", 6},         {"G", 9}};
enum { PREFIXES = sizeof prefixes / sizeof *prefixes };

int mn_unit_count(void) { return UNITS; }
mn_unit_info mn_unit_at(int index)
{
    return (mn_unit_info){units[index].name, units[index].help, units[index].prefixes};
}

typedef struct parse {
    const char *at;
    int depth;
    char *why;
    size_t capacity;
} parse;

static bool fault(parse *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fault(parse *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!p->why[0]) vsnprintf(p->why, p->capacity, format, list);
    va_end(list);
    return false;
}

static const char *skip(const char *s) { return s + strspn(s, " \t\n"); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* ------------------------------------------------------------------- numbers */

static size_t decimal_length(const char *s)
{
    const char *start = s;
    int digits = 0;
    for (; is_digit(*s); s++) digits++;
    if (*s == '.') s++;
    for (; is_digit(*s); s++) digits++;
    if (!digits) return 0;
    if (*s == 'e' || *s == 'E') {
        const char *e = s + 1 + (s[1] == '+' || s[1] == '-');
        if (is_digit(*e)) s = e + strspn(e, "0123456789");
    }
    return (size_t)(s - start);
}

bool mn_is_decimal(const char *s)
{
    if (*s == '+' || *s == '-') s++;
    const size_t length = decimal_length(s);
    return length > 0 && s[length] == 0;
}

static double shifted(double number, int ten)
{
    /* powers up to 10^22 are exact: one rounding */
    for (; ten > 22; ten -= 22) number *= 1e22;
    for (; ten < -22; ten += 22) number /= 1e22;
    double power = 1;
    for (int i = 0; i < abs(ten); i++) power *= 10;
    return ten < 0 ? number / power : number * power;
}

/* The number in units of 10^ten, from its digits, so that no bit is lost. */
static double shifted_digits(const quantity *q, int ten)
{
    char text[LONGEST_LITERAL + 16];
    const size_t mantissa = strcspn(q->digits, "eE");
    if (q->length > LONGEST_LITERAL) return shifted(q->number, ten);
    if (mantissa < (size_t)q->length) {
        const long exponent = strtol(q->digits + mantissa + 1, NULL, 10);
        if (labs(exponent) > LARGEST_TEN) return shifted(q->number, ten);
        ten += (int)exponent;
    }
    const int kept = mantissa < (size_t)q->length ? (int)mantissa : q->length;
    snprintf(text, sizeof text, "%s%.*se%d", q->minus ? "-" : "", kept, q->digits, ten);
    return strtod(text, NULL);
}

/* --------------------------------------------------------------------- units */

static bool combine(parse *p, scale *to, const scale *by, int sign)
{
    to->factor = sign > 0 ? to->factor * by->factor : to->factor / by->factor;
    to->ten += sign * by->ten;
    bool fits = abs(to->ten) <= LARGEST_TEN;
    for (int b = 0; b < BASES; b++) {
        to->power[b] += sign * by->power[b];
        fits = fits && abs(to->power[b]) <= LARGEST_POWER;
    }
    return fits ? true : fault(p, "its unit has too high a power");
}

/* How many bytes of the character at s can be part of a unit's name. */
static size_t name_byte(const char *s)
{
    const unsigned char c = (unsigned char)s[0], d = c ? (unsigned char)s[1] : 0;
    if (is_letter(*s) || *s == '%') return 1;
    return (c == 0xc2 && (d == 0xb0 || d == 0xb5)) || (c == 0xce && d == 0xbc) ? 2 : 0;
}

static size_t name_length(const char *s)
{
    size_t length = 0, next;
    while ((next = name_byte(s + length))) length += next;
    return length;
}

static bool is_name(const char *s, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(s, name, length) == 0;
}

static bool find_unit(const char *s, size_t length, scale *out)
{
    for (int u = 0; u < UNITS; u++) {
        if (!is_name(s, length, units[u].name)) continue;
        *out = units[u].scale;
        return true;
    }
    for (int k = 0; k < PREFIXES; k++) {
        const size_t first = strlen(prefixes[k].name);
        if (length <= first || strncmp(s, prefixes[k].name, first) != 0) continue;
        for (int u = 0; u < UNITS; u++) {
            if (!units[u].prefixes || !is_name(s + first, length - first, units[u].name)) continue;
            *out = units[u].scale;
            out->ten += prefixes[k].ten;
            return true;
        }
    }
    return false;
}

static bool unknown_unit(parse *p, const char *s, size_t length)
{
    static const char *const common[] = {"mm", "cm", "um", "ms", "us", "kg", "mN", "mPa", "cSt", "cP", "ml", "mmol"};
    char name[LONGEST_NAME + 1];
    if (length > LONGEST_NAME) return fault(p, "there is no unit \"%.20s...\"", s);
    snprintf(name, sizeof name, "%.*s", (int)length, s);
    const char *names[UNITS + sizeof common / sizeof *common];
    int count = 0;
    for (int u = 0; u < UNITS; u++) names[count++] = units[u].name;
    for (size_t u = 0; u < sizeof common / sizeof *common; u++) names[count++] = common[u];
    const char *near = length > 1 ? mn_nearest(name, names, count) : NULL;
    if (near) return fault(p, "there is no unit \"%s\"; did you mean \"%s\"?", name, near);
    return fault(p, "there is no unit \"%s\"; 'meniscus list units' names all", name);
}

/* m, m2, m^2, m^-2, m-2, or with the raised digits 2 and 3. */
static int read_power(parse *p)
{
    const char *s = p->at;
    if ((unsigned char)s[0] == 0xc2 && ((unsigned char)s[1] == 0xb2 || (unsigned char)s[1] == 0xb3)) {
        p->at += 2;
        return (unsigned char)s[1] == 0xb2 ? 2 : 3;
    }
    if (*s == '^') s++;
    const bool minus = *s == '-';
    s += minus;
    if (!is_digit(*s) || is_digit(s[1])) return 1;
    p->at = s + 1;
    return minus ? -(*s - '0') : *s - '0';
}

static bool read_unit_name(parse *p, scale *into, int sign)
{
    const size_t length = name_length(p->at);
    scale one;
    if (length == 0) return fault(p, "expected a unit, found \"%.20s\"", p->at);
    if (!find_unit(p->at, length, &one)) return unknown_unit(p, p->at, length);
    p->at += length;
    const int power = read_power(p);
    for (int i = 0; i < abs(power); i++)
        if (!combine(p, into, &one, power < 0 ? -sign : sign)) return false;
    return true;
}

/* Whether a unit begins here rather than pi or sqrt( or a number. */
static bool begins_unit(const char *s)
{
    const size_t length = name_length(s);
    return length > 0 && !is_name(s, length, "pi") && !(is_name(s, length, "sqrt") && *skip(s + length) == '(');
}

static bool read_unit(parse *p, scale *into, int sign)
{
    if (!read_unit_name(p, into, sign)) return false;
    for (;;) {
        const char *s = skip(p->at), *next = *s == '*' || *s == '/' ? skip(s + 1) : s;
        const bool over = *s == '/';
        if (over && *next == '(' && begins_unit(skip(next + 1))) {
            p->at = skip(next + 1);
            if (p->depth++ == DEEPEST) return fault(p, "nested too deep");
            if (!read_unit(p, into, -sign)) return false;
            p->depth--;
            p->at = skip(p->at);
            if (*p->at++ != ')') return p->at--, fault(p, "a \")\" is missing");
        } else if (begins_unit(next)) {
            p->at = next;
            if (!read_unit_name(p, into, over ? -sign : sign)) return false;
        } else {
            return true;
        }
    }
}

/* ---------------------------------------------------------------- arithmetic */

static bool same_dimension(const scale *a, const scale *b) { return memcmp(a->power, b->power, sizeof a->power) == 0; }

static bool read_sum(parse *p, quantity *out);

static bool read_group(parse *p, quantity *out)
{
    if (p->depth++ == DEEPEST) return fault(p, "nested too deep");
    p->at++;
    if (!read_sum(p, out)) return false;
    p->depth--;
    if (*p->at != ')') return fault(p, "a \")\" is missing");
    p->at++;
    out->digits = NULL;
    return true;
}

static bool read_root(parse *p, quantity *out)
{
    p->at = skip(p->at + strlen("sqrt"));
    if (*p->at != '(') return fault(p, "expected sqrt(...)");
    if (!read_group(p, out)) return false;
    for (int b = 0; b < BASES; b++) {
        if (out->scale.power[b] % 2) return fault(p, "the root of an odd power of a unit");
        out->scale.power[b] /= 2;
    }
    out->number = shifted(out->number * out->scale.factor, out->scale.ten);
    out->scale.factor = 1;
    out->scale.ten = 0;
    if (out->number < 0) return fault(p, "the root of a negative number");
    out->number = sqrt(out->number);
    return true;
}

static bool raise_to(parse *p, quantity *q)
{
    p->at = skip(p->at + 1);
    const bool minus = *p->at == '-';
    p->at += minus;
    if (!is_digit(p->at[0]) || is_digit(p->at[1])) return fault(p, "expected a whole number from -9 to 9 after ^");
    const int power = *p->at++ - '0';
    quantity result = {.number = 1, .scale.factor = 1, .unit = q->unit};
    for (int i = 0; i < power; i++) {
        result.number *= q->number;
        if (!combine(p, &result.scale, &q->scale, minus ? -1 : 1)) return false;
    }
    if (minus) result.number = 1 / result.number;
    *q = result;
    return true;
}

static bool read_factor(parse *p, quantity *out)
{
    *out = (quantity){.scale.factor = 1};
    p->at = skip(p->at);
    const size_t length = decimal_length(p->at), word = name_length(p->at);
    if (*p->at == '-' || *p->at == '+') {
        const bool minus = *p->at++ == '-';
        if (p->depth++ == DEEPEST) return fault(p, "nested too deep");
        if (!read_factor(p, out)) return false;
        p->depth--;
        if (minus) out->number = -out->number, out->minus = !out->minus;
        return true;
    }
    if (length) {
        out->number = strtod(p->at, NULL);
        out->digits = p->at;
        out->length = (int)length;
        p->at += length;
    } else if (is_name(p->at, word, "pi")) {
        out->number = M_PI;
        p->at += word;
    } else if (is_name(p->at, word, "sqrt")) {
        if (!read_root(p, out)) return false;
    } else if (*p->at == '(') {
        if (!read_group(p, out)) return false;
    } else if (*p->at == 0) {
        return fault(p, "expected a number at the end");
    } else {
        return fault(p, "expected a number, found \"%.20s\"", p->at);
    }
    const char *next = skip(p->at);
    if (*next != '^') return true;
    p->at = next;
    return raise_to(p, out);
}

static bool read_product(parse *p, quantity *out)
{
    if (!read_factor(p, out)) return false;
    for (;;) {
        const char *s = skip(p->at), *next = *s == '*' || *s == '/' ? skip(s + 1) : s;
        const int sign = *s == '/' ? -1 : 1;
        quantity by;
        if (*s == '1' && *skip(s + 1) == '/' && begins_unit(skip(skip(s + 1) + 1))) { /* 5 1/s */
            p->at = skip(skip(s + 1) + 1);
            if (!read_unit(p, &out->scale, -1)) return false;
            out->unit = true;
        } else if (begins_unit(next)) { /* 5 m, 5/s */
            p->at = next;
            if (sign < 0 ? !read_unit_name(p, &out->scale, -1) : !read_unit(p, &out->scale, 1)) return false;
            out->unit = true;
        } else if (next != s) {
            p->at = next;
            if (!read_factor(p, &by)) return false;
            if (sign < 0 && by.number == 0) return fault(p, "a division by 0");
            out->number = sign < 0 ? out->number / by.number : out->number * by.number;
            out->digits = NULL;
            out->unit |= by.unit;
            if (!combine(p, &out->scale, &by.scale, sign)) return false;
        } else {
            p->at = s;
            return true;
        }
    }
}

static bool read_sum(parse *p, quantity *out)
{
    if (!read_product(p, out)) return false;
    while (*p->at == '+' || *p->at == '-') {
        const double sign = *p->at++ == '-' ? -1 : 1;
        quantity by;
        if (!read_product(p, &by)) return false;
        if (out->unit != by.unit) return fault(p, "only one side of the %c has a unit", sign < 0 ? '-' : '+');
        if (!same_dimension(&out->scale, &by.scale))
            return fault(p, "the units on both sides of the %c differ", sign < 0 ? '-' : '+');
        out->number += sign * shifted(by.number * (by.scale.factor / out->scale.factor), by.scale.ten - out->scale.ten);
        out->digits = NULL;
    }
    return true;
}

/* --------------------------------------------------------------------- result */

/* The scale of a key's unit; those of the tables are known to be good. */
static bool key_scale(const char *unit, size_t length, scale *out)
{
    char text[80], why[200] = "";
    parse p = {.at = text, .why = why, .capacity = sizeof why};
    *out = (scale){.factor = 1};
    if (length >= sizeof text) return false;
    snprintf(text, sizeof text, "%.*s", (int)length, unit);
    if (strncmp(text, "1/", 2) == 0) {
        p.at = text + 2;
        return read_unit(&p, out, -1) && *p.at == 0;
    }
    return read_unit(&p, out, 1) && *p.at == 0;
}

static bool convert(const quantity *q, const char *unit, double *out)
{
    scale to = {.factor = 1};
    for (const char *rest = unit; rest;) {
        const char *other = strstr(rest, " or ");
        if (!key_scale(rest, other ? (size_t)(other - rest) : strlen(rest), &to)) return false;
        if (same_dimension(&q->scale, &to)) break;
        rest = other ? other + strlen(" or ") : NULL;
    }
    if (!same_dimension(&q->scale, &to)) return false;
    const double ratio = q->scale.factor / to.factor;
    const int ten = q->scale.ten - to.ten;
    *out = q->digits && ratio == 1 ? shifted_digits(q, ten) : shifted(q->number * ratio, ten);
    return true;
}

static bool begins_number(const char *s)
{
    const size_t word = name_length(s);
    return is_digit(*s) || (*s && strchr("+-.(", *s)) || is_name(s, word, "pi") || is_name(s, word, "sqrt");
}

bool mn_quantity_read(const char *text, const char *unit, double *out, char *why, size_t capacity)
{
    parse p = {.at = skip(text), .why = why, .capacity = capacity};
    quantity q;
    why[0] = 0;
    if (!begins_number(p.at)) return false;
    if (!read_sum(&p, &q)) return false;
    if (begins_number(p.at)) return fault(&p, "\"%.20s\" after a number: a product is written with *", p.at);
    if (*p.at) return fault(&p, "unexpected \"%.20s\"", p.at);
    *out = q.number;
    if (!isfinite(q.number)) return fault(&p, "numbers have to be finite");
    if (q.unit && !convert(&q, unit, out)) {
        if (unit) return fault(&p, "this is not in %s", unit);
        return fault(&p, "this number has no unit");
    }
    return isfinite(*out) ? true : fault(&p, "numbers have to be finite");
}
