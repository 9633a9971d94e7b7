namespace Fuzz;

/// <summary>
/// How often a reader may go round for one input, and how much it may give out: in proportion to the input, so that nothing hangs or
/// swells.
/// </summary>
/// <param name="inputBytes">Bytes of the input.</param>
internal struct FuzzTurns(int inputBytes)
{
    private const int FixedTurns = 64;
    private const int TurnsPerByte = 4;

    private long _left = FixedTurns + ((long)TurnsPerByte * inputBytes);

    /// <summary>Takes a turn.</summary>
    public void Take()
    {
        if (--_left < 0)
            throw new FuzzException($"more turns than an input of {inputBytes} bytes is worth");
    }

    /// <summary>Demands what must hold of a result.</summary>
    public static void Demand(bool holds, string what)
    {
        if (!holds)
            throw new FuzzException(what);
    }
}
