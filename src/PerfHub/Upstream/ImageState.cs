using PerfCommon.Codec;

namespace PerfHub.Upstream;

/// <summary>The state of an item's image; its fields are stored elsewhere.</summary>
internal struct ImageState
{
    /// <summary>True once there is an image, whatever its state.</summary>
    public bool Exists { readonly get; set; }

    /// <summary>True while its data are good.</summary>
    public bool IsOk { readonly get; set; }

    /// <summary>True while parts of an image have arrived, but not its last one.</summary>
    public bool IsPartial { readonly get; set; }

    /// <summary>Quality of service of the images.</summary>
    public RwfQos Qos { readonly get; set; }

    /// <summary>Records the data state of a status.</summary>
    public void Receive(DataState state) => IsOk = state switch { DataState.Ok => true, DataState.Suspect => false, _ => IsOk };
}
