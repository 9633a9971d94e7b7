namespace PerfHub.Services;

/// <summary>The key of a service in messages between threads; the default is none.</summary>
/// <param name="Id">The hub's id.</param>
/// <param name="Serial">Number that distinguishes the services that had the id.</param>
internal readonly record struct ServiceKey(ushort Id, ushort Serial)
{
    private const int SerialShift = 16;

    /// <summary>The key as one number, 0 for none.</summary>
    public int Number => Id | (Serial << SerialShift);

    public static ServiceKey Of(int number) => new((ushort)number, (ushort)(number >> SerialShift));
}
