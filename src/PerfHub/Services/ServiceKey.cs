namespace PerfHub.Services;

/// <summary>A service in what threads hand to each other; its default is none.</summary>
/// <param name="Id">The hub's id.</param>
/// <param name="Serial">Which of all services that had the id.</param>
internal readonly record struct ServiceKey(ushort Id, ushort Serial)
{
    private const int SerialShift = 16;

    /// <summary>It as one number, 0 for none.</summary>
    public int Number => Id | (Serial << SerialShift);

    public static ServiceKey Of(int number) => new((ushort)number, (ushort)(number >> SerialShift));
}
